import { lostLease } from '../../core/lost-lease.ts';
import type { ClaimedJob, Finish, FinishResult, LaneCursor, Lease, WorkerQueue } from '../../core/queue.ts';
import { type Channel, WATCH_CHANNEL } from '../../db/channels.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { asWorkerRecorded } from '../../db/outcome-record.ts';
import { toJob } from '../../db/rows.ts';
import { AT, type ClaimEnd, type ClaimEndRow, type ClaimedRow } from '../../db/sql/queue/claim-jobs.ts';
import { findHeldRuns, type HeldRunRow } from '../../db/sql/remote/find-held-runs.ts';
import { finishWithoutRunning } from '../../runs/preflight.ts';
import type { Logger } from '../../telemetry/log.ts';
import { JobClaims } from '../claim.ts';
import { claimOfTenant } from '../claim-tenant.ts';
import type { Pipelines } from '../pipelines.ts';
import { leaseColumns } from '../renew.ts';
import type { SyncedDefinition } from '../sync-definitions.ts';
import { type ClaimGroup, ClaimWaiters } from './claim-waiters.ts';
import { RemoteDefinitions } from './remote-definitions.ts';

export interface RemoteWorkDeps {
  readonly db: Database;
  readonly notifier: Notifier;
  readonly pipelines: Pipelines;
  readonly log: Logger;
}

export interface RemoteClaimRequest {
  readonly workerId: string;
  /** The one tenant whose jobs it may have; null: of all tenants. */
  readonly tenantId: string | null;
  readonly definitions: readonly SyncedDefinition[];
  /** 1 to 500. */
  readonly limit: number;
  readonly waitMs: number;
  /** Its client has left. */
  readonly signal?: AbortSignal | undefined;
}

/** A run as its worker holds it, and what decides how it may end. */
export interface HeldRun extends ClaimedJob {
  readonly definition: SyncedDefinition;
  /** The database's clock when it was read. */
  readonly nowMs: number;
  /** From the claim until now, by the database's clock. */
  readonly heldMs: number;
  /** From the start until now; null before it. */
  readonly ranMs: number | null;
}

const MAX_GROUPS = 1_000;

/** Of a claim, its leases are recorded as what came of it: the jobs are found by them. */
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

/** The engine's side of workers that reach it over the network: what is kept of them is kept in the database. */
export class RemoteWork {
  readonly queue: WorkerQueue;
  readonly definitions: RemoteDefinitions;
  readonly waiters: ClaimWaiters;
  readonly #deps: RemoteWorkDeps;
  readonly #groups = new Map<string, ClaimGroup>();
  readonly #claimDb: Pick<Database, 'asWorker'>;

  /** @param queueOf makes the engine for definitions that become known later */
  constructor(
    deps: RemoteWorkDeps,
    queueOf: (definitions: ReadonlyMap<string, SyncedDefinition>) => WorkerQueue,
  ) {
    this.#deps = deps;
    this.#claimDb = recordingLeases(deps.db);
    this.definitions = new RemoteDefinitions(deps.db);
    this.queue = queueOf(this.definitions.byId);
    this.waiters = new ClaimWaiters(deps.log);
  }

  /** Claims jobs, and waits for them where there are none; those that must not run end here. */
  async claim(request: RemoteClaimRequest): Promise<readonly ClaimedJob[]> {
    const { definitions, workerId, limit, waitMs, signal } = request;
    if (definitions.length === 0) return [];
    const endMs = performance.now() + waitMs;
    for (;;) {
      const leftMs = endMs - performance.now();
      const jobs = await this.waiters.claim(this.#groupOf(request), workerId, limit, leftMs, signal);
      if (signal?.aborted === true) {
        await this.giveBack(jobs);
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

  /** Whether the ends of a definition's jobs lead to rows of a domain. */
  isPipelined(definitionKey: string): boolean {
    return this.#deps.pipelines.has(definitionKey);
  }

  /** Notifies those who watch. */
  notify(channel: Channel, payload?: string): void {
    this.#deps.notifier.notify(channel, payload);
  }

  /** Jobs that nobody has begun go back; no attempt is spent. */
  async giveBack(jobs: readonly ClaimedJob[]): Promise<void> {
    await Promise.all(jobs.map((claimed) => this.finish(claimed, { kind: 'handBack' })));
  }

  /**
   * The runs that these leases hold, of this tenant where it is not null.
   * @returns by job id; those that are lost are missing
   */
  async held(leases: readonly Lease[], tenantId: string | null): Promise<ReadonlyMap<string, HeldRun>> {
    const { rows } = await this.#deps.db.asWorker<HeldRunRow>(findHeldRuns, [
      ...leaseColumns(leases),
      tenantId,
    ]);
    const keys = [...new Set(rows.map(({ definition_key }) => definition_key))];
    const definitions = new Map((await this.definitions.find(keys)).map((each) => [each.id, each]));
    return new Map(
      rows.flatMap((row) => {
        const definition = definitions.get(row.definition_id);
        return definition === undefined ? [] : [[row.id, heldRun(row, definition)] as const];
      }),
    );
  }

  /** @throws DomainError `LostLease` */
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
    return this.queue.finish(claimed, finish, measure);
  }

  close(): void {
    this.waiters.close();
  }

  #groupOf({ tenantId, definitions }: RemoteClaimRequest): ClaimGroup {
    const ids = definitions.map(({ id }) => id).sort();
    const key = `${tenantId ?? ''} ${definitions.map(({ id, revision }) => `${id}.${revision}`).sort()}`;
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const claim = tenantId === null ? this.#claimsOfAll(ids) : this.#claimsOf(tenantId, definitions);
    const group = { key, claim, giveBack: (jobs: readonly ClaimedJob[]) => this.giveBack(jobs) };
    if (this.#groups.size >= MAX_GROUPS) this.#groups.clear();
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

  /** With a memory of its own: what one group has seen of the lanes says nothing of the definitions of another. */
  #claimsOfAll(definitionIds: readonly string[]): ClaimGroup['claim'] {
    const claims = new JobClaims(this.#claimDb, this.definitions.byId);
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
