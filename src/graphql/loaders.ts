import DataLoader from 'dataloader';
import type { DependencyPolicy } from '../core/queue.ts';
import { type Reach, reachesJob } from '../core/reach.ts';
import type { WaitingFor } from '../core/waiting.ts';
import type {
  ApiKeyRow,
  AuditRow,
  DefinitionRow,
  JobAttemptRow,
  JobProgressRow,
  JobRow,
  LaneLimitRow,
  MemberRow,
  Prisma,
  ReadTransaction,
  TenantRow,
} from '../db/prisma.ts';
import { dependenciesOfJobs } from '../db/sql/read/dependencies-of-jobs.ts';
import { dependentsOfJobs } from '../db/sql/read/dependents-of-jobs.ts';
import { newestAttempts } from '../db/sql/read/newest-attempts.ts';
import { replaysOfJobs } from '../db/sql/read/replays-of-jobs.ts';
import type { Statement } from '../db/statement.ts';
import { findLogPages, type LogPage, type LogPageKey } from '../jobs/job-log-pages.ts';
import { findWaits } from '../jobs/waiting-for.ts';
import { type AnswerBytes, jsonLoader } from './job-json.ts';

/** One edge of the dependencies of jobs, seen from the job that was asked for. */
export interface DependencyRow {
  readonly job: JobRow;
  readonly policy: DependencyPolicy;
}

/** A settled run as it is read; the tenant is the job's. */
export type AttemptRow = Omit<JobAttemptRow, 'tenantId'>;

/** Per operation: what many resolvers ask for one by one becomes one statement. A missing row is null. */
export interface Loaders {
  readonly job: DataLoader<string, JobRow | null>;
  /** What jobs were given, by their ids. */
  readonly payload: DataLoader<string, unknown>;
  /** What came of jobs, by their ids. */
  readonly result: DataLoader<string, unknown>;
  readonly definition: DataLoader<string, DefinitionRow | null>;
  /** Settled runs by job id, the newest 100. */
  readonly attempts: DataLoader<string, readonly AttemptRow[]>;
  /** Jobs that a job waits for, by its id. */
  readonly dependsOn: DataLoader<string, readonly DependencyRow[]>;
  /** The first 100 jobs that wait for a job, by its id. */
  readonly dependents: DataLoader<string, readonly DependencyRow[]>;
  /** The first 100 jobs that replay a job, by its id. */
  readonly replays: DataLoader<string, readonly JobRow[]>;
  /** What a queued job waits for, by its id. */
  readonly waitingFor: DataLoader<string, WaitingFor | null>;
  readonly progress: DataLoader<string, JobProgressRow | null>;
  /** Pages of jobs' logs. */
  readonly logPage: DataLoader<LogPageKey, LogPage, string>;
  readonly tenant: DataLoader<string, TenantRow | null>;
  /** An API key of the tenant, by its id. */
  readonly apiKey: DataLoader<string, ApiKeyRow | null>;
  /** A person on the tenant's list, by their subject. */
  readonly member: DataLoader<string, MemberRow | null>;
  /** The same by the row's id. */
  readonly memberById: DataLoader<string, MemberRow | null>;
  readonly auditEntry: DataLoader<string, AuditRow | null>;
  /** A tenant's own limits, by its id. */
  readonly laneLimits: DataLoader<string, readonly LaneLimitRow[]>;
}

/**
 * Loaders over one transaction; every one names the tenant beside row security.
 * @param reach what an access token is limited to: other jobs, videos, clips and texts are as if they were
 *   not there
 */
export function createLoaders(
  reads: ReadTransaction,
  tenantId: string,
  answer: AnswerBytes,
  reach?: Reach,
): Loaders {
  const byId = <Row extends { id: string }>(
    find: (prisma: Prisma.TransactionClient, ids: string[]) => Promise<Row[]>,
    isWithin?: (row: Row) => boolean,
  ) => rowsById(reads, find, isWithin);

  const job = byId<JobRow>(
    (prisma, ids) => prisma.job.findMany({ where: { tenantId, id: { in: ids } } }),
    (row) => reachesJob(reach, row),
  );
  const edges = (statement: Statement): DataLoader<string, readonly DependencyRow[]> =>
    new DataLoader(async (ids) => {
      const found = await reads.query<EdgeRow>(statement, [tenantId, ids]);
      const others = await job.loadMany(found.map(({ otherId }) => otherId));
      const byJob = Map.groupBy(
        found.map((edge, index) => ({ ...edge, job: others[index] })),
        (edge) => edge.jobId,
      );
      return ids.map((id) => (byJob.get(id) ?? []).filter(isWhole));
    });
  return {
    job,
    payload: jsonLoader(reads, tenantId, 'payload', answer),
    result: jsonLoader(reads, tenantId, 'result', answer),
    dependsOn: edges(dependenciesOfJobs),
    dependents: edges(dependentsOfJobs),
    replays: replaysOf(reads, tenantId, job),
    definition: byId((prisma, ids) => prisma.jobDefinition.findMany({ where: { id: { in: ids } } })),
    tenant: byId((prisma, ids) => prisma.tenant.findMany({ where: { id: { in: ids } } })),
    apiKey: byId<ApiKeyRow>((prisma, ids) =>
      prisma.apiKey.findMany({ where: { tenantId, id: { in: ids } } }),
    ),
    member: new DataLoader(async (subjects) => {
      const prisma = await reads.prisma();
      const where = { tenantId, userSub: { in: [...subjects] } };
      return inOrder(subjects, await prisma.tenantMember.findMany({ where }), (row) => row.userSub);
    }),
    memberById: byId((prisma, ids) => prisma.tenantMember.findMany({ where: { tenantId, id: { in: ids } } })),
    auditEntry: byId((prisma, ids) => prisma.auditEntry.findMany({ where: { tenantId, id: { in: ids } } })),
    laneLimits: laneLimitsOf(reads),
    waitingFor: new DataLoader((ids) => findWaits(reads, ids)),
    logPage: new DataLoader((keys) => findLogPages(reads, tenantId, keys), { cacheKeyFn: JSON.stringify }),
    progress: new DataLoader(async (ids) => {
      const prisma = await reads.prisma();
      const rows = await prisma.jobProgress.findMany({ where: { tenantId, jobId: { in: [...ids] } } });
      return inOrder(ids, rows, (row) => row.jobId);
    }),
    attempts: new DataLoader(async (ids) => {
      const rows = await reads.query<AttemptRow>(newestAttempts, [ids]);
      const byJob = Map.groupBy(rows, (row) => row.jobId);
      return ids.map((id) => byJob.get(id) ?? []);
    }),
  };
}

function laneLimitsOf(reads: ReadTransaction): Loaders['laneLimits'] {
  return new DataLoader(async (ids) => {
    const prisma = await reads.prisma();
    const where = { tenantId: { in: [...ids] } };
    const rows = await prisma.laneLimit.findMany({ where, orderBy: { definitionId: 'asc' } });
    const byTenant = Map.groupBy(rows, (row) => row.tenantId);
    return ids.map((id) => byTenant.get(id) ?? []);
  });
}

function replaysOf(
  reads: ReadTransaction,
  tenantId: string,
  job: Loaders['job'],
): DataLoader<string, readonly JobRow[]> {
  return new DataLoader(async (ids) => {
    const found = await reads.query<Omit<EdgeRow, 'policy'>>(replaysOfJobs, [tenantId, ids]);
    const jobs = await job.loadMany(found.map(({ otherId }) => otherId));
    const byJob = Map.groupBy(jobs.filter(isRow), ({ replayOf }) => replayOf);
    return ids.map((id) => byJob.get(id) ?? []);
  });
}

interface EdgeRow {
  readonly jobId: string;
  readonly otherId: string;
  readonly policy: DependencyPolicy;
}

function isRow(loaded: JobRow | Error | null): loaded is JobRow {
  return loaded !== null && !(loaded instanceof Error);
}

/** An edge to a row that is not to be seen is none. */
function isWhole<Edge extends { readonly job: JobRow | Error | null | undefined }>(
  edge: Edge,
): edge is Edge & { readonly job: JobRow } {
  return edge.job !== null && edge.job !== undefined && !(edge.job instanceof Error);
}

/** The rows of ids, in their order; null for each that is not there. */
export function inOrder<Row>(
  ids: readonly string[],
  rows: readonly Row[],
  idOf: (row: Row) => string,
): (Row | null)[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** A loader of rows by their ids; those that are not within reach are as if they were not there. */
export function rowsById<Row extends { id: string }>(
  reads: ReadTransaction,
  find: (prisma: Prisma.TransactionClient, ids: string[]) => Promise<Row[]>,
  isWithin: (row: Row) => boolean = () => true,
): DataLoader<string, Row | null> {
  return new DataLoader(async (ids) => {
    const rows = await find(await reads.prisma(), [...ids]);
    return inOrder(ids, rows.filter(isWithin), (row) => row.id);
  });
}
