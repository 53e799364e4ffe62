import type { SyncedDefinition } from '../core/definition-records.ts';
import type { Job, Subject } from '../core/job.ts';
import type { ClaimedJob } from '../core/queue.ts';
import { AT, type ClaimEnd, type ClaimedRow, type RareColumns } from '../db/sql/queue/claim-jobs.ts';

/** The values that most jobs have. */
const NOTHING_RARE: RareColumns = {
  source: 'manual',
  attemptCount: 0,
  lostLeaseCount: 0,
  snoozeCount: 0,
  lastError: null,
};

/** What all jobs of one claim have in common. */
export interface Claim {
  readonly workerId: string;
  readonly token: string;
  readonly claimedAt: Date;
}

export function claimOf({ token, claimedUs }: ClaimEnd, workerId: string): Claim {
  return { workerId, token, claimedAt: timeOf(claimedUs) };
}

/** A claimed row as a worker gets it. */
export function toClaimedJob(row: ClaimedRow, claim: Claim, definition: SyncedDefinition): ClaimedJob {
  return {
    job: new RowJob(row, claim, definition),
    definitionKey: definition.key,
    lease: { jobId: row[AT.id], runNo: row[AT.runNo], token: claim.token },
    leaseSeconds: definition.leaseSeconds,
    timeoutSeconds: row[AT.rare]?.timeoutSeconds ?? definition.timeoutSeconds,
  };
}

/**
 * The job in a claimed row, whose columns are read when somebody asks. Hundreds lie here at a time, most are
 * asked for a handful of columns, and written out with their dates each was a kilobyte to make, to move about
 * and to clear away. What every claim sets alike (status, worker, no result) does not travel.
 */
class RowJob implements Job {
  readonly #row: ClaimedRow;
  readonly #claim: Claim;
  readonly #definition: SyncedDefinition;

  constructor(row: ClaimedRow, claim: Claim, definition: SyncedDefinition) {
    this.#row = row;
    this.#claim = claim;
    this.#definition = definition;
  }

  get #rare(): RareColumns {
    return this.#row[AT.rare] ?? NOTHING_RARE;
  }

  get id(): string {
    return this.#row[AT.id];
  }

  get tenantId(): string {
    return this.#row[AT.tenantId];
  }

  get definitionId(): string {
    return this.#row[AT.definitionId];
  }

  get source(): Job['source'] {
    return this.#rare.source;
  }

  get sourceRef(): string | null {
    return this.#rare.sourceRef ?? null;
  }

  get status(): Job['status'] {
    return 'running';
  }

  get priority(): number {
    return this.#row[AT.priority];
  }

  get payload(): unknown {
    return this.#row[AT.payload];
  }

  get result(): null {
    return null;
  }

  get dedupeKey(): string | null {
    return this.#rare.dedupeKey ?? null;
  }

  get correlationId(): string | null {
    return this.#rare.correlationId ?? null;
  }

  get subject(): Subject | null {
    const { subjectType: type, subjectId: id } = this.#rare;
    return type === undefined || id === undefined ? null : { type, id };
  }

  get requestedFor(): Date | null {
    return timeOrNull(this.#rare.requestedUs);
  }

  get scheduledFor(): Date {
    return timeOf(Number(this.#row[AT.scheduledUs]));
  }

  get queuedAt(): Date {
    return timeOf(Number(this.#row[AT.queuedUs]));
  }

  get claimedAt(): Date {
    return this.#claim.claimedAt;
  }

  get startedAt(): Date | null {
    return this.#row[AT.isStarted] ? this.#claim.claimedAt : null;
  }

  get finishedAt(): null {
    return null;
  }

  get attemptCount(): number {
    return this.#rare.attemptCount;
  }

  get maxAttempts(): number {
    return this.#row[AT.maxAttempts];
  }

  get runNo(): number {
    return this.#row[AT.runNo];
  }

  get lostLeaseCount(): number {
    return this.#rare.lostLeaseCount;
  }

  get snoozeCount(): number {
    return this.#rare.snoozeCount;
  }

  get pendingDependencies(): number {
    return 0;
  }

  get expiresAt(): Date | null {
    return timeOrNull(this.#rare.expiresUs);
  }

  get timeoutSeconds(): number | null {
    return this.#rare.timeoutSeconds ?? null;
  }

  /** The row's own is some milliseconds later: it counts from the moment in which the row was written. */
  get leaseExpiresAt(): Date {
    return new Date(this.#claim.claimedAt.getTime() + this.#definition.leaseSeconds * 1000);
  }

  get claimedByWorker(): string {
    return this.#claim.workerId;
  }

  get cancelRequestedAt(): Date | null {
    return timeOrNull(this.#rare.cancelRequestedUs);
  }

  get lastError(): Job['lastError'] {
    return this.#rare.lastError;
  }

  get reason(): string | null {
    return this.#rare.reason ?? null;
  }

  get createdBy(): string | null {
    return this.#row[AT.createdBy];
  }

  get version(): bigint {
    return BigInt(this.#row[AT.version]);
  }
}

function timeOf(us: number): Date {
  return new Date(us / 1000);
}

function timeOrNull(us: number | undefined): Date | null {
  return us === undefined ? null : timeOf(us);
}
