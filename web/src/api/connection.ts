import { create } from "zustand";

export type Connection = "connecting" | "open" | "reconnecting" | "lost";

export const useConnection = create<{ connection: Connection }>()(() => ({ connection: "connecting" }));
