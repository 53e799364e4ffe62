import type { Lease } from '../core/queue.ts';
import type { LeaseState, LogLinesResult, RunLogLine, RunProgress, RunRecords } from '../core/run-records.ts';
import type { Database } from '../db/database.ts';
import { findLeaseStates, type LeaseStateRow } from '../db/sql/queue/find-lease-states.ts';
import { handBackUnknownClaims } from '../db/sql/worker/hand-back-unknown-claims.ts';
import { insertJobLogLines, type StoredLogRow } from '../db/sql/worker/insert-job-log-lines.ts';
import { upsertProgress } from '../db/sql/worker/upsert-progress.ts';

/** On Postgres. */
export class PostgresRunRecords implements RunRecords {
  readonly #db: Pick<Database, 'asWorker'>;

  constructor(db: Pick<Database, 'asWorker'>) {
    this.#db = db;
  }

  async leaseStates(leases: readonly Lease[]): Promise<readonly LeaseState[]> {
    const { rows } = await this.#db.asWorker<LeaseStateRow>(findLeaseStates, columnsOf(leases));
    return rows.map((row) => ({
      jobId: row.id,
      isCancelRequested: row.cancel_requested,
      cancelReason: row.cancel_reason,
    }));
  }

  async storeProgress(progress: readonly RunProgress[]): Promise<void> {
    await this.#db.asWorker(upsertProgress, [
      ...columnsOf(progress.map(({ lease }) => lease)),
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
      ...columnsOf(runs.map(({ lease }) => lease)),
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
    const [ids, runNos] = columnsOf(known);
    const { rowCount } = await this.#db.asWorker(handBackUnknownClaims, [workerId, ids, runNos]);
    return rowCount ?? 0;
  }
}

function columnsOf(leases: readonly Lease[]): readonly [string[], number[], string[]] {
  return [
    leases.map(({ jobId }) => jobId),
    leases.map(({ runNo }) => runNo),
    leases.map(({ token }) => token),
  ];
}
