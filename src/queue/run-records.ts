import type { JobStatus, Subject } from '../core/job.ts';
import type { ArtifactRecord } from '../core/outcome.ts';
import type { Lease } from '../core/queue.ts';
import type {
  JobRecord,
  LeaseState,
  LogLinesResult,
  RunLogLine,
  RunProgress,
  RunRecords,
} from '../core/run-records.ts';
import type { Database } from '../db/database.ts';
import { findLeaseStates, type LeaseStateRow } from '../db/sql/queue/find-lease-states.ts';
import { type ArtifactRow, findArtifacts } from '../db/sql/worker/find-artifacts.ts';
import { findJobRecord, type JobRecordRow } from '../db/sql/worker/find-job-record.ts';
import { handBackUnknownClaims } from '../db/sql/worker/hand-back-unknown-claims.ts';
import { insertJobLogLines, type StoredLogRow } from '../db/sql/worker/insert-job-log-lines.ts';
import { upsertProgress } from '../db/sql/worker/upsert-progress.ts';
import { leaseColumns } from './renew.ts';
import { PostgresWorkerRecords } from './worker-records.ts';

/** On Postgres. */
export class PostgresRunRecords extends PostgresWorkerRecords implements RunRecords {
  readonly #db: Pick<Database, 'asWorker' | 'transaction'>;

  constructor(db: Pick<Database, 'asWorker' | 'transaction'>) {
    super(db);
    this.#db = db;
  }

  async leaseStates(leases: readonly Lease[]): Promise<readonly LeaseState[]> {
    const { rows } = await this.#db.asWorker<LeaseStateRow>(findLeaseStates, leaseColumns(leases));
    return rows.map((row) => ({
      jobId: row.id,
      isCancelRequested: row.cancel_requested,
      cancelReason: row.cancel_reason,
    }));
  }

  async storeProgress(progress: readonly RunProgress[]): Promise<void> {
    await this.#db.asWorker(upsertProgress, [
      ...leaseColumns(progress.map(({ lease }) => lease)),
      progress.map(({ percent }) => percent),
      progress.map(({ stage }) => stage),
      progress.map(({ message }) => message),
      progress.map(({ etaSeconds }) => etaSeconds),
      progress.map(({ previewKey }) => previewKey),
    ]);
  }

  async storeLogLines(
    runs: readonly { readonly lease: Lease; readonly lines: readonly RunLogLine[] }[],
  ): Promise<readonly LogLinesResult[]> {
    const lines = runs.flatMap((run) => run.lines);
    const { rows } = await this.#db.asWorker<StoredLogRow>(insertJobLogLines, [
      ...leaseColumns(runs.map(({ lease }) => lease)),
      runs.flatMap((run, index) => run.lines.map(() => index + 1)),
      lines.map(({ lineNo }) => lineNo),
      lines.map(({ level }) => level),
      lines.map(({ message }) => message),
      lines.map(({ data }) => data),
      lines.map(({ at }) => at),
    ]);
    const stored = new Map(rows.map((row) => [row.place, row.stored]));
    return runs.map((_, index) => {
      const isStored = stored.get(index + 1);
      if (isStored === undefined) return 'lost';
      return isStored ? 'stored' : 'busy';
    });
  }

  async handBackUnknown(workerId: string, known: readonly Lease[]): Promise<number> {
    const [ids, runNos] = leaseColumns(known);
    const { rowCount } = await this.#db.asWorker(handBackUnknownClaims, [workerId, ids, runNos]);
    return rowCount ?? 0;
  }

  async jobRecord(jobId: string, maxLines: number): Promise<JobRecord | null> {
    const { rows } = await this.#db.asWorker<JobRecordRow>(findJobRecord, [jobId, maxLines]);
    if (rows[0] === undefined) return null;
    const { id, status, definition_key: definitionKey, payload, runs, lines } = rows[0];
    return { jobId: id, status: status as JobStatus, definitionKey, payload, runs, lines };
  }

  /** Read as the API role with the tenant: nothing of another one is found, whatever is asked for. */
  async findArtifacts(
    tenantId: string,
    subject: Subject,
    kind: string | null,
  ): Promise<readonly ArtifactRecord[]> {
    const { rows } = await this.#db.transaction({ role: 'api', tenantId, readOnly: true }, (tx) =>
      tx.query<ArtifactRow>(findArtifacts, [tenantId, subject.type, subject.id, kind]),
    );
    return rows.map((row) => ({
      kind: row.kind,
      key: row.key,
      sizeBytes: row.size_bytes,
      sha256: row.sha256,
      contentType: row.content_type,
      metadata: row.metadata,
    }));
  }
}
