/** The parts of a task that open inside its card or beside the conversation. */
export const VIEWS = ["answer", "steps", "output", "checks", "diff", "report"] as const;
export type DetailView = (typeof VIEWS)[number];

export interface OpenDetail {
  task: string;
  view: DetailView;
  /** The verification that is looked at, among the checks. */
  run?: string | undefined;
  /** The file that is looked at, among the changes. */
  file?: string | undefined;
}
