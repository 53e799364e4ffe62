import { maskPayload } from '../../core/redaction/secret-fields.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { JobType } from './job.ts';

builder.objectField(JobType, 'payload', (t) =>
  t.field({
    type: 'JSON',
    nullable: true,
    description: 'What it was given; secret fields are shown as •••, to everybody.',
    resolve: async ({ id, definitionId }, _args, context) => {
      const payload = await loadersOf(context).payload.load(id);
      if (typeof payload !== 'object' || payload === null) return payload;
      const definition = await loadersOf(context).definition.load(definitionId);
      return maskPayload(definition?.argSchema, payload);
    },
  }),
);

builder.objectField(JobType, 'result', (t) =>
  t.field({
    type: 'JSON',
    nullable: true,
    description: 'What its handler returned; fields with names of secrets are shown as •••.',
    resolve: async ({ id }, _args, context) =>
      maskPayload(undefined, await loadersOf(context).result.load(id)),
  }),
);
