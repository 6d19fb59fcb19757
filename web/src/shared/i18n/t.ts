import { en } from "./en";

/** The shape every language fills; a missing key is a type error. */
export type Messages = typeof en;

export const t: Messages = en;
