import { revokeApiKey } from '../../operations/api-keys.ts';
import { builder } from '../builder.ts';
import { uuidOf } from '../ids.ts';
import { ApiKeyType } from '../types/api-key.ts';
import { Busy, Forbidden, InvalidArgument, NotFound } from '../types/errors.ts';
import { readBack } from './read-back.ts';
import { write } from './write.ts';

const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', {
  description: 'Which key to revoke.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its global id, or its UUID.' }) }),
});

const RevokeApiKeyPayload = builder.objectRef<{ readonly id: string }>('RevokeApiKeyPayload').implement({
  description: 'The key has ended.',
  fields: (t) => ({
    apiKey: t.field({
      type: ApiKeyType,
      nullable: true,
      description: 'The key; `revokedAt` says since when.',
      resolve: ({ id }, _args, context) =>
        readBack(context, (loaders) => loaders.apiKey.load(id), `API key ${id}`),
    }),
  }),
});

builder.mutationField('revokeApiKey', (t) =>
  t.field({
    type: RevokeApiKeyPayload,
    description:
      'Ends an API key of the tenant that the caller acts on, and every stream that came with it. Again is nothing. For tenant admins.',
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true, description: 'The key.' }) },
    errors: {
      union: { name: 'RevokeApiKeyResult', description: 'The key, or why it stays as it is.' },
      types: [Forbidden, InvalidArgument, NotFound, Busy],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => {
        const id = uuidOf('ApiKey', input.id);
        await revokeApiKey(context.deps.jobs, context.actor, id);
        return { id };
      }),
  }),
);
