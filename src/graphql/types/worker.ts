import DataLoader from 'dataloader';
import type { WorkerRunsRow } from '../../db/sql/read/worker-runs.ts';
import { readWorkerRuns, type WorkerRow } from '../../operations/workers.ts';
import { builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';

interface ServedType {
  readonly key: string;
  readonly concurrency: number;
}

const WorkerJobType = builder.objectRef<ServedType>('WorkerJobType').implement({
  description: 'A kind of job that a worker process runs.',
  fields: (t) => ({
    definitionKey: t.exposeString('key', { description: 'Key of the definition.' }),
    concurrency: t.exposeInt('concurrency', { description: 'Jobs of it that the process runs at a time.' }),
  }),
});

const WorkerRunsType = builder.objectRef<WorkerRunsRow>('WorkerRuns').implement({
  description: 'What a worker runs at the moment, of one kind.',
  fields: (t) => ({
    definitionKey: t.exposeString('definitionKey', { description: 'Key of the definition.' }),
    jobCount: t.exposeInt('jobCount', { description: 'How many jobs, of all tenants.' }),
    oldestClaimedAt: t.expose('oldestClaimedAt', {
      type: 'DateTime',
      description: 'When it took the first of them.',
    }),
    leaseExpiresAt: t.expose('leaseExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it loses the first of them unless it renews its lease.',
    }),
  }),
});

const loaders = new WeakMap<object, DataLoader<string, readonly WorkerRunsRow[]>>();

/** One loader an operation: what all workers run is one statement. */
function runsOf({ operation, deps }: GraphqlContext): DataLoader<string, readonly WorkerRunsRow[]> {
  const known = loaders.get(operation);
  if (known !== undefined) return known;
  const made = new DataLoader(async (names: readonly string[]) => {
    const found = await readWorkerRuns(deps.reads, names);
    return names.map((name) => found.get(name) ?? []);
  });
  loaders.set(operation, made);
  return made;
}

export const WorkerType = builder.objectRef<WorkerRow>('Worker').implement({
  description: 'A worker process.',
  fields: (t) => ({
    name: t.exposeString('workerId', {
      description: 'Its name, random at each start; as `JobAttempt.worker` says it.',
    }),
    hostname: t.exposeString('hostname', { description: 'The machine.' }),
    pid: t.exposeInt('pid', { description: 'Process id on that machine.' }),
    version: t.exposeString('version', { description: 'Version of the program.' }),
    jobTypes: t.field({
      type: [WorkerJobType],
      description: 'What it runs.',
      resolve: ({ definitionKeys, concurrency, metadata }) =>
        definitionKeys.map((key) => ({
          key,
          concurrency: Math.min(concurrency, metadata.typeConcurrency?.[key] ?? concurrency),
        })),
    }),
    concurrency: t.exposeInt('concurrency', { description: 'Jobs that it runs at a time, of all kinds.' }),
    runningCount: t.exposeInt('runningCount', { description: 'Jobs that it had when it was last seen.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it started.' }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime', description: 'When it was last seen.' }),
    stoppingAt: t.expose('stoppingAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it claims no more, because it is stopping.',
    }),
    runs: t.field({
      type: [WorkerRunsType],
      complexity: { field: 1, multiplier: 10 },
      description: 'What it runs at the moment, by kind.',
      resolve: async ({ workerId }, _args, context) => [...(await runsOf(context).load(workerId))],
    }),
    isRemote: t.boolean({
      description: 'It reaches Millrace over the network: a program in any language.',
      resolve: ({ metadata }) => metadata.remote === true,
    }),
    isStale: t.exposeBoolean('isStale', {
      description: 'It has not been seen for 30 seconds: it is dead, frozen or cut off.',
    }),
  }),
});
