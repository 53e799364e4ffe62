import type { JobDefinition } from './definition.ts';

/** A definition as the engine keeps it, with the id that jobs refer to. */
export interface SyncedDefinition
  extends Pick<
    JobDefinition,
    | 'key'
    | 'leaseSeconds'
    | 'timeoutSeconds'
    | 'maxAttempts'
    | 'retryPolicy'
    | 'maxSnoozes'
    | 'snoozeDeadlineSeconds'
    | 'payload'
  > {
  readonly id: string;
  /** An operator has set its schema. */
  readonly hasOwnSchema: boolean;
  readonly isArchived: boolean;
  /** Another one after every change. */
  readonly revision: string;
}

/** What workers declare and read of definitions. */
export interface DefinitionRecords {
  /**
   * Writes definitions that are declared in code, and returns them by id. Any number of processes may do so
   * at once; what an operator has set stays.
   */
  syncDefinitions(definitions: readonly JobDefinition[]): Promise<ReadonlyMap<string, SyncedDefinition>>;
  /** Definitions by their keys, as they are now; those that are not there are missing in the answer. */
  readDefinitions(keys: readonly string[]): Promise<readonly SyncedDefinition[]>;
}
