import type { SkipCounts } from '../../core/bulk.ts';

/** What can be done to many jobs. */
export const BULK_VERBS = ['cancel', 'retry'] as const;
export type BulkVerb = (typeof BULK_VERBS)[number];

/** Where a bulk action stands. */
export const BULK_STATUSES = ['running', 'succeeded', 'stopped', 'failed'] as const;
export type BulkStatus = (typeof BULK_STATUSES)[number];

/** The row as its statements give it to the process that works on it. */
export interface HeldBulkAction {
  readonly id: string;
  readonly tenantId: string;
  readonly verb: BulkVerb;
  /** See `storedFilter`. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly reason: string | null;
  readonly spreadSeconds: number;
  readonly lastJobId: string | null;
  readonly createdBy: string | null;
  readonly createdAt: Date;
}

/** What of a batch is added to the row. */
export interface RecordedBatch {
  readonly doneCount: number;
  readonly requestedCount: number;
  readonly skipped: SkipCounts;
  /** The last job that was looked at; null leaves it as it is. */
  readonly lastJobId: string | null;
}
