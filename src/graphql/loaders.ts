import DataLoader from 'dataloader';
import { VIDEO_STAGES } from '../core/pipelines/video.ts';
import type {
  DefinitionRow,
  JobAttemptRow,
  JobProgressRow,
  JobRow,
  Prisma,
  ReadTransaction,
  TenantRow,
  VideoRow,
} from '../db/prisma.ts';
import { newestAttempts } from '../db/sql/read/newest-attempts.ts';
import { newestJobsOfSubjects } from '../db/sql/read/newest-jobs-of-subjects.ts';
import { stageProgressOfSubjects } from '../db/sql/read/stage-progress-of-subjects.ts';

/** A settled run as it is read; the tenant is the job's. */
export type AttemptRow = Omit<JobAttemptRow, 'tenantId'>;

/** Per operation: what many resolvers ask for one by one becomes one statement. A missing row is null. */
export interface Loaders {
  readonly job: DataLoader<string, JobRow | null>;
  readonly definition: DataLoader<string, DefinitionRow | null>;
  /** Settled runs by job id, the newest 100. */
  readonly attempts: DataLoader<string, readonly AttemptRow[]>;
  readonly progress: DataLoader<string, JobProgressRow | null>;
  readonly video: DataLoader<string, VideoRow | null>;
  /** The newest 20 jobs about a video, by its id. */
  readonly jobsOfVideo: DataLoader<string, readonly JobRow[]>;
  /** Progress of the newest active stage of a video, by its id. */
  readonly progressOfVideo: DataLoader<string, JobProgressRow | null>;
  readonly tenant: DataLoader<string, TenantRow | null>;
}

/** Loaders over one transaction; every one names the tenant beside row security. */
export function createLoaders(reads: ReadTransaction, tenantId: string): Loaders {
  const byId = <Row extends { id: string }>(
    find: (prisma: Prisma.TransactionClient, ids: string[]) => Promise<Row[]>,
  ): DataLoader<string, Row | null> =>
    new DataLoader(async (ids) => {
      const rows = await find(await reads.prisma(), [...ids]);
      return inOrder(ids, rows, (row) => row.id);
    });

  const job = byId<JobRow>((prisma, ids) => prisma.job.findMany({ where: { tenantId, id: { in: ids } } }));
  return {
    job,
    definition: byId((prisma, ids) => prisma.jobDefinition.findMany({ where: { id: { in: ids } } })),
    video: byId((prisma, ids) => prisma.video.findMany({ where: { tenantId, id: { in: ids } } })),
    tenant: byId((prisma, ids) => prisma.tenant.findMany({ where: { id: { in: ids } } })),
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
    progressOfVideo: new DataLoader(async (ids) => {
      const found = await reads.query<JobProgressRow & { subjectId: string }>(stageProgressOfSubjects, [
        tenantId,
        'video',
        ids,
        VIDEO_STAGES,
      ]);
      return inOrder(ids, found, (row) => row.subjectId);
    }),
    jobsOfVideo: new DataLoader(async (ids) => {
      const found = await reads.query<{ subjectId: string; id: string }>(newestJobsOfSubjects, [
        tenantId,
        'video',
        ids,
      ]);
      const jobs = await job.loadMany(found.map(({ id }) => id));
      const byVideo = Map.groupBy(
        jobs.filter((row): row is JobRow => row !== null && !(row instanceof Error)),
        (row) => row.subjectId,
      );
      return ids.map((id) => byVideo.get(id) ?? []);
    }),
  };
}

function inOrder<Row>(
  ids: readonly string[],
  rows: readonly Row[],
  idOf: (row: Row) => string,
): (Row | null)[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.map((id) => byId.get(id) ?? null);
}
