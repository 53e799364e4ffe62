import DataLoader from 'dataloader';
import { hasRole } from '../../core/actor.ts';
import { countWorkers, type WorkerCountRow } from '../../db/sql/read/count-workers.ts';
import { findWorkers, type WorkerRow } from '../../operations/workers.ts';
import { builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { JobDefinitionType } from './job-definition.ts';
import { WorkerType } from './worker.ts';

/** Loaders of one operation, made when first needed. */
const counts = new WeakMap<GraphqlContext, DataLoader<string, number>>();
const lists = new WeakMap<GraphqlContext, Promise<readonly WorkerRow[]>>();

// Tenants learn how many workers there are, and neither their machines nor what else they run.
builder.objectField(JobDefinitionType, 'workerCount', (t) =>
  t.int({
    description: 'Worker processes that serve it now; 0: its jobs wait.',
    resolve: ({ key }, _args, context) => countsOf(context).load(key),
  }),
);

builder.objectField(JobDefinitionType, 'workers', (t) =>
  t.field({
    type: [WorkerType],
    nullable: true,
    complexity: { field: 1, multiplier: 1 },
    description: 'The worker processes that serve it. Null for all but super admins.',
    resolve: async ({ key }, _args, context) => {
      if (!hasRole(context.actor.role, 'super_admin') || context.actor.scopes !== null) return null;
      const known = lists.get(context) ?? findWorkers(context.deps.reads, context.actor);
      lists.set(context, known);
      return (await known).filter(({ definitionKeys }) => definitionKeys.includes(key));
    },
  }),
);

function countsOf(context: GraphqlContext): DataLoader<string, number> {
  const known = counts.get(context);
  if (known !== undefined) return known;
  const loader = new DataLoader<string, number>(async (keys) => {
    const { rows } = await context.deps.jobs.db.asWorker<WorkerCountRow>(countWorkers, [keys]);
    const byKey = new Map(rows.map(({ key, workerCount }) => [key, workerCount]));
    return keys.map((key) => byKey.get(key) ?? 0);
  });
  counts.set(context, loader);
  return loader;
}
