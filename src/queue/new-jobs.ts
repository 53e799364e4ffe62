import { DomainError } from '../core/errors.ts';
import type { EnqueueInput } from '../core/queue.ts';
import type { Channel } from '../db/channels.ts';
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
}

/** What became of one row of an INSERT. `rival`: an active job has its key. `stale`: check the payload again. */
export type Outcome =
  | {
      readonly kind: 'created' | 'existing';
      readonly id: string;
      /** Who waits for work was told with the commit. */
      readonly isRung?: boolean;
    }
  | { readonly kind: 'rival' | 'stale' }
  | { readonly kind: 'refused'; readonly error: DomainError };

/**
 * The parameters of `insert_jobs`.
 * @param evenDeletedTenants for the next stage of a job that ends while its tenant is being deleted: it is deleted with the rest
 * @param ringing channels to ring with the commit
 */
export function insertValues(
  jobs: readonly NewJob[],
  evenDeletedTenants: boolean,
  ringing: readonly Channel[] | null = null,
): unknown[] {
  return [
    column(jobs, (job) => job.tenantId),
    column(jobs, (job) => job.input.definitionKey),
    column(jobs, (job) => job.revision),
    column(jobs, (job) => job.payloadJson),
    column(jobs, (job) => job.input.createdBy),
    column(jobs, (job) => job.input.priority),
    column(jobs, (job) => job.input.source),
    column(jobs, (job) => job.input.sourceRef),
    column(jobs, (job) => job.input.dedupeKey),
    column(jobs, (job) => job.input.dedupeWindowSeconds),
    column(jobs, (job) => job.input.correlationId),
    column(jobs, (job) => job.input.subject?.type),
    column(jobs, (job) => job.input.subject?.id),
    column(jobs, (job) => job.input.scheduledFor),
    column(jobs, (job) => job.input.expiresAt),
    column(jobs, (job) => job.input.timeoutSeconds),
    column(jobs, (job) => job.input.maxAttempts),
    column(jobs, (job) => job.start?.pendingDependencies || null),
    column(jobs, (job) => job.start?.doomedReason),
    evenDeletedTenants,
    ringing,
  ];
}

/**
 * One array. Null where no row has a value: most jobs use few of the columns. Texts are written as Postgres reads an array, which
 * the driver does too, but several times slower.
 */
function column<T>(
  jobs: readonly NewJob[],
  of: (job: NewJob) => T | null | undefined,
): (T | null)[] | string | null {
  let isUsed = false;
  let areTexts = true;
  const values = jobs.map((job) => {
    const value = of(job) ?? null;
    if (value !== null) {
      isUsed = true;
      areTexts &&= typeof value === 'string';
    }
    return value;
  });
  if (!isUsed) return null;
  return areTexts ? `{${values.map((value) => quoted(value as string | null)).join(',')}}` : values;
}

function quoted(value: string | null): string {
  return value === null ? 'NULL' : `"${/["\\]/.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`;
}

/** What a row of the answer means for the job that was asked for. */
export function outcomeOf({ outcome, id, is_rung }: InsertJobsRow, { input, tenantId }: NewJob): Outcome {
  switch (outcome) {
    case 'created':
    case 'existing':
      return { kind: outcome, id, isRung: is_rung };
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
