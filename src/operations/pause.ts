/** Whether to pause or to resume, and why: 1 to 1000 characters, kept in the audit log. */
export interface Pause {
  readonly isPaused: boolean;
  readonly reason?: string | null | undefined;
}
