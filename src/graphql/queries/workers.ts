import { findWorkers } from '../../operations/workers.ts';
import { builder } from '../builder.ts';
import { WorkerType } from '../types/worker.ts';

builder.queryField('workers', (t) =>
  t.field({
    type: [WorkerType],
    nullable: true,
    complexity: { field: 50, multiplier: 1 },
    description: 'The worker processes, newest first, at most 1000. For super admins.',
    resolve: async (_root, _args, { actor, deps }) => [...(await findWorkers(deps.reads, actor))],
  }),
);
