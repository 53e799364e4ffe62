import { createApiKey } from '../../operations/api-keys.ts';
import { builder } from '../builder.ts';
import { ApiKeyType } from '../types/api-key.ts';
import { ApiKeyScopeEnum, RoleEnum } from '../types/enums.ts';
import { Busy, Forbidden, InvalidArgument } from '../types/errors.ts';
import { readBack } from './read-back.ts';
import { write } from './write.ts';

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'A key to be made. It can do no more than who makes it.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What it is for: 1 to 200 characters.' }),
    role: t.field({ type: RoleEnum, required: true, description: 'What it may do at most.' }),
    scopes: t.field({
      type: [ApiKeyScopeEnum],
      description: 'What it is narrowed to, at least one; absent or null for all that its role may.',
    }),
    expiresAt: t.field({ type: 'DateTime', description: 'When it ends; absent or null for never.' }),
    definitionKeys: t.stringList({
      description:
        'For the role `WORKER`: the definitions whose jobs it may claim, by key, 1 to 100; absent or null for all.',
    }),
    isPersistedOnly: t.boolean({
      description: 'Whether it takes registered operations only, by their ids; false by default.',
    }),
  }),
});

const CreateApiKeyPayload = builder
  .objectRef<{ readonly id: string; readonly secret: string }>('CreateApiKeyPayload')
  .implement({
    description: 'The key is good from now on.',
    fields: (t) => ({
      secret: t.exposeString('secret', {
        description: 'The key itself: `mr_…`. It is shown here and never again; the database keeps its hash.',
      }),
      apiKey: t.field({
        type: ApiKeyType,
        nullable: true,
        description: 'What is kept of it.',
        resolve: ({ id }, _args, context) =>
          readBack(context, (loaders) => loaders.apiKey.load(id), `API key ${id}`),
      }),
    }),
  });

builder.mutationField('createApiKey', (t) =>
  t.field({
    type: CreateApiKeyPayload,
    description: 'Makes an API key of the tenant that the caller acts on. For tenant admins.',
    args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'The key.' }) },
    errors: {
      union: { name: 'CreateApiKeyResult', description: 'The key, or why there is none.' },
      types: [Forbidden, InvalidArgument, Busy],
    },
    resolve: (
      _root,
      { input: { isPersistedOnly: persistedOnly, definitionKeys: jobTypes, ...rest } },
      context,
    ) =>
      write(context, () =>
        createApiKey(context.deps.jobs, context.actor, { ...rest, persistedOnly, jobTypes }),
      ),
  }),
);
