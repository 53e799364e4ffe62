import DataLoader from 'dataloader';
import type { CallRow, CallTranscriptRow, JobRow } from '../../../db/prisma.ts';
import { type JobOfSubjectRow, newestJobsOfSubjects } from '../../../db/sql/read/newest-jobs-of-subjects.ts';
import { defineLoader } from '../../../graphql/loader.ts';
import { inOrder, rowsById } from '../../../graphql/loaders.ts';
import { ANALYSIS_VERSION, type CallAnalysis } from '../analysis/analysis.ts';
import { type CallAnalysisRow, findAnalyses } from '../sql/find-analyses.ts';
import { type CallArtifactRow, findCallArtifacts } from '../sql/find-call-artifacts.ts';

/** Calls are within nobody's reach who is limited to one video or one job. */
export const callLoader = defineLoader(({ reads, tenantId, reach }) =>
  rowsById<CallRow>(
    reads,
    (prisma, ids) => prisma.call.findMany({ where: { tenantId, id: { in: ids } } }),
    () => reach === undefined,
  ),
);

/** The transcript of a call, by its id; null while there is none. */
export const transcriptLoader = defineLoader<string, CallTranscriptRow | null>(
  ({ reads, tenantId }) =>
    new DataLoader(async (ids) => {
      const prisma = await reads.prisma();
      const rows = await prisma.callTranscript.findMany({ where: { tenantId, callId: { in: [...ids] } } });
      return inOrder(ids, rows, (row) => row.callId);
    }),
);

/** The analysis of a call's transcript in this version, by the call's id; null while there is none. */
export const analysisLoader = defineLoader<string, CallAnalysis | null>(
  ({ reads, tenantId }) =>
    new DataLoader(async (ids) => {
      const rows = await reads.query<CallAnalysisRow>(findAnalyses, [tenantId, ids, ANALYSIS_VERSION]);
      return ids.map((id) => rows.find(({ callId }) => callId === id)?.result ?? null);
    }),
);

/** The newest 20 jobs about a call, by its id. */
export const jobsOfCallLoader = defineLoader<string, readonly JobRow[]>(
  ({ reads, tenantId, loaders }) =>
    new DataLoader(async (ids) => {
      const found = await reads.query<JobOfSubjectRow>(newestJobsOfSubjects, [tenantId, 'call', ids]);
      const jobs = await loaders.job.loadMany(found.map(({ id }) => id));
      const byCall = Map.groupBy(
        jobs.filter((row): row is JobRow => row !== null && !(row instanceof Error)),
        (row) => row.subjectId,
      );
      return ids.map((id) => byCall.get(id) ?? []);
    }),
);

/** What lies in the store of a call, by its id. */
export const artifactsOfCallLoader = defineLoader<string, readonly CallArtifactRow[]>(
  ({ reads, tenantId }) =>
    new DataLoader(async (ids) => {
      const rows = await reads.query<CallArtifactRow>(findCallArtifacts, [tenantId, ids]);
      const byCall = Map.groupBy(rows, ({ callId }) => callId);
      return ids.map((id) => byCall.get(id) ?? []);
    }),
);
