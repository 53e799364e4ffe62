import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { JobType } from './job.ts';

builder.objectField(JobType, 'payload', (t) =>
  t.field({
    type: 'JSON',
    nullable: true,
    description: 'What it was given.',
    resolve: ({ id }, _args, context) => loadersOf(context).payload.load(id),
  }),
);

builder.objectField(JobType, 'result', (t) =>
  t.field({
    type: 'JSON',
    nullable: true,
    description: 'What its handler returned.',
    resolve: ({ id }, _args, context) => loadersOf(context).result.load(id),
  }),
);
