import type { EnqueueResult } from '../core/queue.ts';
import type { Transaction } from '../db/database.ts';
import { recordOutcome } from '../db/outcome-record.ts';
import { findNewestJobOfSubject, type NewestJobRow } from '../db/sql/read/find-newest-job-of-subject.ts';
import type { Statement } from '../db/statement.ts';
import type { JobsDeps } from '../jobs/deps.ts';
import { notFound } from '../jobs/not-found.ts';
import type { ObjectStat } from '../storage/object-store.ts';
import { type ExpectedFile, uploadedFile } from './uploaded-file.ts';

/** What a domain says of its uploads. Its rows wait for their file in the status `awaiting_upload`. */
export interface UploadCompletion<Row extends AwaitingRow> {
  /** `video`: what jobs about it have as their subject's type. */
  readonly kind: string;
  /** `original`. */
  readonly file: string;
  /** Finds the row of tenant $1's thing $2 and holds it. */
  readonly lock: Statement;
  /** Key of the definition whose job an upload begins with. */
  readonly firstStage: string;
  /** Where the file of a row that waits for it is. */
  keyOf(row: Row): string;
  /** The file is there, and the transaction holds the row: records it and enqueues the first stage. */
  finish(tx: Transaction, row: Row, object: ObjectStat): Promise<EnqueueResult>;
  /**
   * For a row that no longer waits and has no job of the first stage: another one where nothing else would
   * move it on.
   */
  resume?(tx: Transaction, row: Row): Promise<EnqueueResult | null>;
}

interface AwaitingRow {
  readonly id: string;
  readonly status: string;
}

export interface UploadToComplete<Outcome> {
  readonly tenantId: string;
  readonly id: string;
  /** What the caller calls the id. */
  readonly field: string;
  /**
   * Where a file may have come without having been counted in the tenant's storage. @throws DomainError
   * `QuotaExceeded`
   */
  checkRoom?(tx: Transaction, file: ExpectedFile, sizeBytes: number): Promise<void>;
  /** What the use-case answers. */
  outcomeOf(job: StartedJob): Outcome;
}

/** The first job of what was uploaded. */
export interface StartedJob {
  /** Null only when the job of an upload completed long ago has been deleted since. */
  readonly jobId: string | null;
  /** False when the job was there already. */
  readonly created: boolean;
}

type Deps = Pick<JobsDeps, 'db' | 'queue' | 'store'> & {
  readonly config: Pick<JobsDeps['config'], 'maxUploadBytes'>;
};

/**
 * Completes an upload: records that the file is there and enqueues the first job about it, both in one
 * transaction. Calling it again changes nothing and gives the same job.
 * @throws DomainError `NotFound` `ObjectNotFound` `InvalidArgument` (an empty file) `ObjectTooLarge`
 *   `QuotaExceeded`, and what `finish` throws
 */
export async function completeUpload<Row extends AwaitingRow, Outcome>(
  deps: Deps,
  completion: UploadCompletion<Row>,
  upload: UploadToComplete<Outcome>,
): Promise<Outcome> {
  const { tenantId } = upload;
  const enqueued: EnqueueResult[] = [];
  const outcome = await deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
    enqueued.length = 0;
    const { earlierJobId, result } = await complete(deps, tx, completion, upload);
    if (result !== null) enqueued.push(result);
    const made = upload.outcomeOf({ jobId: result?.id ?? earlierJobId, created: result?.kind === 'created' });
    await recordOutcome(tx, made);
    return made;
  });
  deps.queue.notifyEnqueued(enqueued);
  return outcome;
}

async function complete<Row extends AwaitingRow>(
  deps: Deps,
  tx: Transaction,
  completion: UploadCompletion<Row>,
  { tenantId, id, field, checkRoom }: UploadToComplete<unknown>,
): Promise<{ readonly earlierJobId: string | null; readonly result: EnqueueResult | null }> {
  const { kind, file, firstStage } = completion;
  const row = (await tx.query<Row>(completion.lock, [tenantId, id])).rows[0];
  if (row === undefined) throw notFound(kind, id);
  if (row.status === 'awaiting_upload') {
    const expected: ExpectedFile = { kind, id, tenantId, file, key: completion.keyOf(row), field };
    const object = await uploadedFile(deps, expected);
    await checkRoom?.(tx, expected, object.sizeBytes);
    return { earlierJobId: null, result: await completion.finish(tx, row, object) };
  }
  const { rows } = await tx.query<NewestJobRow>(findNewestJobOfSubject, [tenantId, kind, id, firstStage]);
  const earlierJobId = rows[0]?.id ?? null;
  const result = earlierJobId === null ? ((await completion.resume?.(tx, row)) ?? null) : null;
  return { earlierJobId, result };
}
