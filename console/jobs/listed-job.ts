import type { JobRow } from '../api/operations.gen.ts';

/** A row of the list. */
export type ListedJob = JobRow & {
  readonly source?: string | undefined;
  readonly worker?: string | null | undefined;
  /** It no longer matches, or was deleted; it stays where it is until the person acts. */
  readonly isGone: boolean;
};
