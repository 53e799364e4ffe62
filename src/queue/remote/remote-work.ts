import { BoundedMap } from '../../core/bounded-map.ts';
import type { SyncedDefinition } from '../../core/definition-records.ts';
import type { Subject } from '../../core/job.ts';
import { lostLease } from '../../core/lost-lease.ts';
import type { ArtifactRecord } from '../../core/outcome.ts';
import type {
  ClaimedJob,
  Finish,
  FinishResult,
  HeartbeatResult,
  LaneCursor,
  Lease,
  WorkerQueue,
} from '../../core/queue.ts';
import type {
  HeldRun,
  RemoteClaimRequest,
  RemoteLine,
  RemoteWork,
  RemoteWorkerPresence,
} from '../../core/remote-work.ts';
import type { RunProgress } from '../../core/run-records.ts';
import { LOG_CHANNEL, WATCH_CHANNEL } from '../../db/channels.ts';
import type { Database } from '../../db/database.ts';
import { hold } from '../../db/hold-lease.ts';
import { logNotification } from '../../db/log-notification.ts';
import type { Notifier } from '../../db/notifier.ts';
import { asWorkerRecorded, recordOutcome } from '../../db/outcome-record.ts';
import { toJob } from '../../db/rows.ts';
import { AT, type ClaimEnd, type ClaimEndRow, type ClaimedRow } from '../../db/sql/queue/claim-jobs.ts';
import { appendJobLogLines } from '../../db/sql/remote/append-job-log-lines.ts';
import { findHeldRuns, type HeldRunRow } from '../../db/sql/remote/find-held-runs.ts';
import { isRunGoingOn } from '../../db/sql/remote/is-run-going-on.ts';
import { upsertRemoteWorker } from '../../db/sql/remote/upsert-remote-worker.ts';
import { upsertProgress } from '../../db/sql/worker/upsert-progress.ts';
import { finishWithoutRunning } from '../../runs/preflight.ts';
import type { Logger } from '../../telemetry/log.ts';
import { JobClaims } from '../claim.ts';
import { claimOfTenant } from '../claim-tenant.ts';
import type { Pipelines } from '../pipelines.ts';
import { leaseColumns } from '../renew.ts';
import { type ClaimGroup, ClaimWaiters } from './claim-waiters.ts';
import { RemoteDefinitions } from './remote-definitions.ts';

export interface RemoteWorkDeps {
  readonly db: Database;
  readonly notifier: Notifier;
  readonly pipelines: Pipelines;
  readonly log: Logger;
}

const MAX_GROUPS = 1_000;

/** Records a claim's leases as its outcome: the jobs are found by them. */
function recordingLeases(db: Database): Pick<Database, 'asWorker'> {
  return {
    asWorker: (statement, values) =>
      asWorkerRecorded(db, statement, values, ({ rows }) =>
        leasesOf(rows as unknown as readonly (ClaimedRow | ClaimEndRow)[]),
      ),
  };
}

function leasesOf(rows: readonly (ClaimedRow | ClaimEndRow)[]): readonly Lease[] | undefined {
  const end = rows.at(-1);
  if (end === undefined || rows.length === 1) return undefined;
  const { token } = end[AT.payload] as ClaimEnd;
  return (rows.slice(0, -1) as ClaimedRow[]).map((row) => ({
    jobId: row[AT.id],
    runNo: row[AT.runNo],
    token,
  }));
}

const NO_MEASURE = { startedAtMs: null, wallMs: 0, cpuMs: null } as const;

/** On Postgres: what is kept of remote workers is kept in the database. */
export class PostgresRemoteWork implements RemoteWork {
  readonly #queue: WorkerQueue;
  readonly #definitions: RemoteDefinitions;
  readonly #waiters: ClaimWaiters;
  readonly #deps: RemoteWorkDeps;
  readonly #groups = new BoundedMap<string, ClaimGroup>(MAX_GROUPS);
  readonly #claimDb: Pick<Database, 'asWorker'>;

  /** @param queueOf makes the engine for definitions that become known later */
  constructor(
    deps: RemoteWorkDeps,
    queueOf: (definitions: ReadonlyMap<string, SyncedDefinition>) => WorkerQueue,
  ) {
    this.#deps = deps;
    this.#claimDb = recordingLeases(deps.db);
    this.#definitions = new RemoteDefinitions(deps.db);
    this.#queue = queueOf(this.#definitions.byId);
    this.#waiters = new ClaimWaiters(deps.log);
  }

  async claim(request: RemoteClaimRequest): Promise<readonly ClaimedJob[]> {
    const { definitions, workerId, limit, waitMs, signal } = request;
    if (definitions.length === 0) return [];
    const endMs = performance.now() + waitMs;
    for (;;) {
      const leftMs = endMs - performance.now();
      const jobs = await this.#waiters.claim(this.#groupOf(request), workerId, limit, leftMs, signal);
      if (signal?.aborted === true) {
        await this.#handBack(jobs);
        return [];
      }
      const kept: ClaimedJob[] = [];
      for (const claimed of jobs) {
        const early = finishWithoutRunning(claimed);
        if (early === null) kept.push(claimed);
        else await this.finish(claimed, early);
      }
      if (kept.length > 0 || jobs.length === 0) return kept;
    }
  }

  isPipelined(definitionKey: string): boolean {
    return this.#deps.pipelines.has(definitionKey);
  }

  findDefinitions(keys: readonly string[]): Promise<readonly SyncedDefinition[]> {
    return this.#definitions.find(keys);
  }

  definition(id: string): SyncedDefinition | undefined {
    return this.#definitions.byId.get(id);
  }

  /** Jobs that nobody has begun go back; no attempt is spent. */
  async #handBack(jobs: readonly ClaimedJob[]): Promise<void> {
    await Promise.all(jobs.map((claimed) => this.finish(claimed, { kind: 'handBack' })));
  }

  async held(leases: readonly Lease[], tenantId: string | null): Promise<ReadonlyMap<string, HeldRun>> {
    const { rows } = await this.#deps.db.asWorker<HeldRunRow>(findHeldRuns, [
      ...leaseColumns(leases),
      tenantId,
    ]);
    const keys = [...new Set(rows.map(({ definition_key }) => definition_key))];
    const definitions = new Map((await this.#definitions.find(keys)).map((each) => [each.id, each]));
    return new Map(
      rows.flatMap((row) => {
        const definition = definitions.get(row.definition_id);
        return definition === undefined ? [] : [[row.id, heldRun(row, definition)] as const];
      }),
    );
  }

  async holding(lease: Lease, tenantId: string | null): Promise<HeldRun> {
    const run = (await this.held([lease], tenantId)).get(lease.jobId);
    if (run === undefined) throw lostLease(lease);
    return run;
  }

  finish(claimed: ClaimedJob, finish: Finish): Promise<FinishResult> {
    const { startedAt, claimedAt } = claimed.job;
    const ranMs = (claimed as Partial<HeldRun>).ranMs;
    const measure =
      ranMs == null || startedAt === null
        ? NO_MEASURE
        : { startedAtMs: (startedAt ?? claimedAt).getTime(), wallMs: Math.max(0, ranMs), cpuMs: null };
    return this.#queue.finish(claimed, finish, measure);
  }

  async start(lease: Lease): Promise<void> {
    if (!(await this.#queue.start(lease))) throw lostLease(lease);
    this.#deps.notifier.notify(WATCH_CHANNEL);
  }

  heartbeat(leases: readonly Lease[], leaseSeconds: readonly number[]): Promise<HeartbeatResult> {
    return this.#queue.heartbeat(leases, leaseSeconds);
  }

  async reportProgress({ lease, ...said }: RunProgress): Promise<void> {
    const values = [
      ...leaseColumns([lease]),
      [said.percent],
      [said.stage],
      [said.message],
      [said.etaSeconds],
      [said.previewKey],
    ];
    const { rowCount } = await asWorkerRecorded(this.#deps.db, upsertProgress, values, (done) =>
      done.rowCount === 1 ? null : undefined,
    );
    if (rowCount !== 1) throw lostLease(lease);
    this.#deps.notifier.notify(WATCH_CHANNEL);
  }

  async appendLines(
    { job, lease }: Pick<HeldRun, 'job' | 'lease'>,
    lines: readonly RemoteLine[],
    maxLines: number,
  ): Promise<number> {
    const { db, notifier } = this.#deps;
    const count = await db.transaction({ role: 'worker', tenantId: job.tenantId }, async (tx) => {
      await hold(tx, job.tenantId, lease);
      const { rowCount } = await tx.query(appendJobLogLines, [
        lease.jobId,
        lease.runNo,
        job.tenantId,
        lines.map(({ level }) => level),
        lines.map(({ message }) => message),
        lines.map(({ data }) => data),
        lines.map(() => null),
        maxLines,
      ]);
      await recordOutcome(tx, rowCount ?? 0);
      return rowCount ?? 0;
    });
    if (count > 0) notifier.notify(LOG_CHANNEL, logNotification([lease.jobId]));
    return count;
  }

  findArtifacts(tenantId: string, subject: Subject, kind: string | null): Promise<readonly ArtifactRecord[]> {
    return this.#queue.findArtifacts(tenantId, subject, kind);
  }

  async isRunning(tenantId: string, jobId: string, runNo: number): Promise<boolean> {
    const { rowCount } = await this.#deps.db.asWorker(isRunGoingOn, [tenantId, jobId, runNo]);
    return rowCount === 1;
  }

  async noteRemoteWorker(worker: RemoteWorkerPresence): Promise<void> {
    await this.#deps.db.asWorker(upsertRemoteWorker, [
      worker.workerId,
      worker.name,
      worker.version ?? '',
      worker.definitionKeys ?? null,
      worker.concurrency ?? null,
      worker.runningCount,
      JSON.stringify({ remote: true, tenantId: worker.tenantId }),
    ]);
  }

  signal(): void {
    this.#waiters.signal();
  }

  close(): void {
    this.#waiters.close();
  }

  #groupOf({ tenantId, definitions }: RemoteClaimRequest): ClaimGroup {
    const ids = definitions.map(({ id }) => id).sort();
    const key = `${tenantId ?? ''} ${definitions.map(({ id, revision }) => `${id}.${revision}`).sort()}`;
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const claim = tenantId === null ? this.#claimsOfAll(ids) : this.#claimsOf(tenantId, definitions);
    const group = { key, claim, handBack: (jobs: readonly ClaimedJob[]) => this.#handBack(jobs) };
    this.#groups.set(key, group);
    return group;
  }

  #claimsOf(tenantId: string, definitions: readonly SyncedDefinition[]): ClaimGroup['claim'] {
    let turn = 0;
    return async (workerId, limit) => {
      // Another definition is the first each time: none is always served last.
      const at = turn++ % definitions.length;
      const inTurn = [...definitions.slice(at), ...definitions.slice(0, at)];
      const jobs = await claimOfTenant(this.#claimDb, { workerId, tenantId, definitions: inTurn, limit });
      if (jobs.length > 0) this.#deps.notifier.notify(WATCH_CHANNEL);
      return jobs;
    };
  }

  /**
   * With a memory of its own: what one group has seen of the lanes says nothing of the definitions of
   * another.
   */
  #claimsOfAll(definitionIds: readonly string[]): ClaimGroup['claim'] {
    const claims = new JobClaims(this.#claimDb, this.#definitions.byId);
    let after: LaneCursor | null = null;
    return async (workerId, limit) => {
      const { jobs, cursor } = await claims.claim({ workerId, definitionIds, limit, after });
      after = cursor;
      if (jobs.length > 0) this.#deps.notifier.notify(WATCH_CHANNEL);
      return jobs;
    };
  }
}

function heldRun(row: HeldRunRow, definition: SyncedDefinition): HeldRun {
  const job = toJob(row);
  const nowMs = row.database_now.getTime();
  return {
    job,
    definition,
    definitionKey: row.definition_key,
    lease: { jobId: row.id, runNo: row.run_no, token: row.token },
    leaseSeconds: definition.leaseSeconds,
    timeoutSeconds: row.timeout_seconds ?? definition.timeoutSeconds,
    nowMs,
    heldMs: nowMs - (row.claimed_at ?? row.queued_at).getTime(),
    ranMs: row.started_at === null ? null : nowMs - row.started_at.getTime(),
  };
}
