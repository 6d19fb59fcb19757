import { say, t } from "@/shared/i18n/t";

/** What a rollback would take away, in a sentence. */
export const takesAway = (files: number, insertions: number, deletions: number): string =>
  files === 0 ? t.resume.takesNothing : say(t.resume.takesAway, { count: files, insertions, deletions });
