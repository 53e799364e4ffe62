import { cleanJson, cleanText } from '../core/clean-text.ts';
import { DomainError } from '../core/errors.ts';
import type { EnqueueInput, EnqueueResult } from '../core/queue.ts';
import type { Transaction } from '../db/database.ts';
import { sqlState } from '../db/retryable.ts';
import { type ActiveDuplicateRow, findActiveDuplicates } from '../db/sql/queue/find-active-duplicates.ts';
import { type InsertJobsRow, insertJobs } from '../db/sql/queue/insert-jobs.ts';
import { setLockTimeout } from '../db/sql/set-lock-timeout.ts';

/** How often a job is tried again whose rival had ended by the time it was looked for. */
const MAX_ROUNDS = 5;
const DEDUPE_WAIT_MS = 5_000;

/**
 * Enqueues jobs of one tenant inside the caller's transaction. Payloads are taken as validated by the caller.
 * Against an uncommitted rival with the same dedupe key it waits up to 5 s, then reads again in a new statement.
 * @returns one result an input, in order: always a job id, `created` or `existing`
 * @throws DomainError `UnknownDefinition`, `DefinitionInactive`, `InvalidArgument`, `DedupeBusy`
 */
export async function enqueueIn(
  tx: Transaction,
  tenantId: string,
  inputs: readonly EnqueueInput[],
): Promise<readonly EnqueueResult[]> {
  if (inputs.length === 0) return [];
  inputs.forEach(checkInput);
  const results: EnqueueResult[] = new Array(inputs.length);
  let open = inputs.map((_, index) => index);
  if (inputs.some((input) => typeof input.dedupeKey === 'string'))
    await tx.query(setLockTimeout, [`${DEDUPE_WAIT_MS}ms`]);
  for (let round = 1; open.length > 0; round++) {
    if (round > MAX_ROUNDS) throw busy(inputs[open[0] ?? 0]);
    open = await insertRound(tx, tenantId, inputs, open, results);
  }
  return results;
}

/** One INSERT and, for what it left out, one look at the rivals; returns what neither settled. */
async function insertRound(
  tx: Transaction,
  tenantId: string,
  inputs: readonly EnqueueInput[],
  open: readonly number[],
  results: EnqueueResult[],
): Promise<number[]> {
  const rows = await insertRows(
    tx,
    tenantId,
    open.map((index) => inputs[index] as EnqueueInput),
  );
  const refused: number[] = [];
  for (const row of rows) {
    const index = open[row.position - 1] as number;
    if (row.created) results[index] = { id: row.id, kind: 'created' };
    else refused.push(index);
  }
  if (refused.length === 0) return [];
  const keys = [...new Set(refused.map((index) => inputs[index]?.dedupeKey))];
  const rivals = await tx.query<ActiveDuplicateRow>(findActiveDuplicates, [tenantId, keys]);
  const idByKey = new Map(rivals.rows.map((row) => [row.dedupe_key, row.id]));
  return refused.filter((index) => {
    const id = idByKey.get(inputs[index]?.dedupeKey ?? '');
    if (id !== undefined) results[index] = { id, kind: 'existing' };
    return id === undefined;
  });
}

async function insertRows(
  tx: Transaction,
  tenantId: string,
  inputs: readonly EnqueueInput[],
): Promise<readonly InsertJobsRow[]> {
  try {
    const { rows } = await tx.query<InsertJobsRow>(insertJobs, [
      tenantId,
      inputs.map((input) => input.definitionKey),
      inputs.map((input) => input.source ?? 'manual'),
      inputs.map((input) => input.sourceRef ?? null),
      inputs.map((input) => input.priority ?? 100),
      inputs.map((input) => cleanJson(input.payload ?? {})),
      inputs.map((input) => input.dedupeKey ?? null),
      inputs.map((input) => input.correlationId ?? null),
      inputs.map((input) => input.subject?.type ?? null),
      inputs.map((input) => input.subject?.id ?? null),
      inputs.map((input) => input.scheduledFor ?? null),
      inputs.map((input) => input.maxAttempts ?? null),
      inputs.map((input) => input.createdBy ?? null),
    ]);
    checkDefinitions(inputs, rows);
    return rows;
  } catch (error) {
    if (sqlState(error) === '55P03')
      throw busy(
        inputs.find((input) => typeof input.dedupeKey === 'string'),
        error,
      );
    throw error;
  }
}

function checkDefinitions(inputs: readonly EnqueueInput[], rows: readonly InsertJobsRow[]): void {
  for (const { position, is_active: isActive } of rows) {
    if (isActive === true) continue;
    const key = inputs[position - 1]?.definitionKey ?? '';
    const field = { field: 'definitionKey' };
    if (isActive === false)
      throw new DomainError('DefinitionInactive', `Job definition ${key} is not active.`, field);
    throw new DomainError(
      'UnknownDefinition',
      `There is no job definition ${JSON.stringify(key.slice(0, 100))}.`,
      field,
    );
  }
}

const FAR_FUTURE_MS = Date.parse('2200-01-01T00:00:00Z');

function checkInput(input: EnqueueInput): void {
  const { priority, scheduledFor, maxAttempts } = input;
  if (priority !== undefined) wholeNumber('priority', priority, 0, 1_000_000);
  if (maxAttempts !== undefined && maxAttempts !== null) wholeNumber('maxAttempts', maxAttempts, 1, 1000);
  if (scheduledFor !== undefined && scheduledFor !== null && !(scheduledFor.getTime() < FAR_FUTURE_MS)) {
    throw refused('scheduledFor', shownTime(scheduledFor), 'a time before 2200-01-01T00:00:00Z');
  }
  shortText('definitionKey', input.definitionKey, 1024);
  shortText('dedupeKey', input.dedupeKey, 1024);
  shortText('correlationId', input.correlationId, 255);
  shortText('subject.type', input.subject?.type, 100);
  shortText('subject.id', input.subject?.id, 255);
}

function shownTime(time: Date): string {
  return Number.isNaN(time.getTime()) ? 'not a time' : time.toISOString();
}

function wholeNumber(field: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw refused(field, String(value), `an integer from ${min} to ${max}`);
}

function shortText(field: string, value: string | null | undefined, maxLength: number): void {
  if (value === undefined || value === null) return;
  if (value.length < 1 || value.length > maxLength || cleanText(value) !== value) {
    throw refused(field, JSON.stringify(value.slice(0, 80)), `1 to ${maxLength} characters without NUL`);
  }
}

function refused(field: string, shown: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${shown}; allowed: ${allowed}.`, { field, allowed });
}

function busy(input: EnqueueInput | undefined, cause?: unknown): DomainError {
  const key = input?.dedupeKey ?? '';
  return new DomainError(
    'DedupeBusy',
    `Another transaction holds dedupe key ${JSON.stringify(key)}; try again.`,
    { field: 'dedupeKey' },
    cause,
  );
}
