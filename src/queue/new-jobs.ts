import { DomainError } from '../core/errors.ts';
import type { EnqueueInput } from '../core/queue.ts';
import type { InsertJobsRow } from '../db/sql/queue/insert-jobs.ts';
import { refused } from './check-input.ts';
import type { ChildStart } from './dependencies.ts';

/** A checked job on its way into the table. */
export interface NewJob {
  readonly tenantId: string;
  readonly input: EnqueueInput;
  /** The payload as it is stored. */
  readonly payloadJson: string;
  /** The definition's revision by which the payload was checked; null: whatever it is by now. */
  readonly revision: string | null;
  /** Among the jobs that it depends on; null without any. */
  readonly start: ChildStart | null;
  /** The ended job that it replays. */
  readonly replayOf?: string;
}

/**
 * What became of one row of an INSERT. `rival`: an active job has its key. `stale`: check the payload again.
 */
export type Outcome =
  | {
      readonly kind: 'created' | 'existing';
      readonly id: string;
      /** Those who wait for work were notified with the commit. */
      readonly isNotified?: boolean;
    }
  | { readonly kind: 'rival' | 'stale' }
  | { readonly kind: 'refused'; readonly error: DomainError };

/** What a row of the answer means for the job that was asked for. */
export function outcomeOf(
  { outcome, id, is_notified }: Omit<InsertJobsRow, 'position'>,
  { input, tenantId }: NewJob,
): Outcome {
  switch (outcome) {
    case 'created':
    case 'existing':
      return { kind: outcome, id, isNotified: is_notified };
    case 'rival':
    case 'stale':
      return { kind: outcome };
    case 'no_tenant':
      return { kind: 'refused', error: unknownTenant(tenantId) };
    case 'no_definition':
      return { kind: 'refused', error: unknownDefinition(input.definitionKey) };
    case 'inactive':
      return { kind: 'refused', error: inactiveDefinition(input.definitionKey) };
    case 'expired':
      return {
        kind: 'refused',
        error: refused('expiresAt', input.expiresAt, 'a time after now and after scheduledFor'),
      };
  }
}

export function unknownDefinition(key: string): DomainError {
  const shown = JSON.stringify(key.slice(0, 100));
  return new DomainError('UnknownDefinition', `There is no job definition ${shown}.`, {
    field: 'definitionKey',
  });
}

export function inactiveDefinition(key: string): DomainError {
  return new DomainError('DefinitionInactive', `Job definition ${key} is not active.`, {
    field: 'definitionKey',
  });
}

function unknownTenant(tenantId: string): DomainError {
  return new DomainError('UnknownTenant', `There is no tenant ${tenantId}, or it has been deleted.`, {
    field: 'tenantId',
  });
}

export function dedupeBusy(key: string, cause?: unknown): DomainError {
  const message = `Another transaction holds dedupe key ${JSON.stringify(key.slice(0, 80))}; try again.`;
  return new DomainError('DedupeBusy', message, { field: 'dedupeKey' }, cause);
}
