/** `policies`: the one file of row security and rights. */
export type RoutineKind = 'function' | 'view' | 'trigger' | 'policies';

/** A function, view or trigger as it lies on disk, or the policies. */
export interface RoutineFile {
  readonly kind: RoutineKind;
  /** Its name in the schema `millrace`: the file's own, without its endings. */
  readonly name: string;
  /** From the folder on: `claim/claim_jobs.sql`. */
  readonly path: string;
  /** With the roles' names still to be put in, see `withRoles`. */
  readonly sql: string;
  /** SHA-256 of the file, in lower-case hex. */
  readonly checksum: string;
  /** Whether it belongs to the worker role, and not to the login. */
  readonly isOwnedByWorker: boolean;
  /** Names of those that must be there before it. */
  readonly needs: readonly string[];
}
