import { findWorkers, readWorkerRuns } from '../../operations/workers.ts';
import { defineRoute } from '../route.ts';
import { Type } from '../schema.ts';
import { timeOrNull, timeText } from '../shown-job.ts';

const WorkerSchema = Type.Object(
  {
    worker_id: Type.String({ description: 'Its name, random at each start.' }),
    hostname: Type.String({ description: 'The machine.' }),
    pid: Type.Integer({ description: 'Process id on that machine.' }),
    version: Type.String({ description: 'Version of the program.' }),
    definition_keys: Type.Array(Type.String(), { description: 'What it runs.' }),
    concurrency: Type.Integer({ description: 'Jobs that it runs at a time.' }),
    running_count: Type.Integer({ description: 'Jobs that it had when it was last seen.' }),
    runs: Type.Array(
      Type.Object(
        {
          definition_key: Type.String(),
          job_count: Type.Integer({ description: 'How many jobs, of all tenants.' }),
          oldest_claimed_at: Type.Time({ description: 'When it took the first of them.' }),
          lease_expires_at: Type.NullableTime({
            description: 'When it loses the first of them unless it renews its lease.',
          }),
        },
        { title: 'WorkerRuns', additionalProperties: false },
      ),
      { description: 'What it runs at the moment, by kind.' },
    ),
    started_at: Type.Time({ description: 'When it started.' }),
    last_seen_at: Type.Time({ description: 'When it was last seen.' }),
    stopping_at: Type.NullableTime({ description: 'Since when it claims no more.' }),
    is_stale: Type.Boolean({ description: 'It has not been seen for 30 seconds.' }),
  },
  { title: 'Worker', description: 'A worker process.', additionalProperties: false },
);

const list = defineRoute({
  method: 'GET',
  path: '/admin/workers',
  operationId: 'listWorkers',
  tag: 'Operations',
  summary: 'List the worker processes, newest first, at most 1000',
  need: findWorkers.need,
  answer: Type.Object(
    { data: Type.Array(WorkerSchema) },
    { title: 'WorkerList', additionalProperties: false },
  ),
  example: { answer: { data: [] } },
  run: async ({ deps, caller }) => {
    const workers = await findWorkers(deps.reads, caller);
    const names = workers.map(({ workerId }) => workerId);
    const runs = await readWorkerRuns(deps.reads, names);
    const data = workers.map((worker) => ({
      worker_id: worker.workerId,
      hostname: worker.hostname,
      pid: worker.pid,
      version: worker.version,
      definition_keys: [...worker.definitionKeys],
      concurrency: worker.concurrency,
      running_count: worker.runningCount,
      runs: (runs.get(worker.workerId) ?? []).map((of) => ({
        definition_key: of.definitionKey,
        job_count: of.jobCount,
        oldest_claimed_at: timeText(of.oldestClaimedAt),
        lease_expires_at: timeOrNull(of.leaseExpiresAt),
      })),
      started_at: timeText(worker.startedAt),
      last_seen_at: timeText(worker.lastSeenAt),
      stopping_at: timeOrNull(worker.stoppingAt),
      is_stale: worker.isStale,
    }));
    return { data };
  },
});

export const workerRoutes = [list];
