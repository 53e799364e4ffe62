import { requireNeed } from '../../access/require-role.ts';
import type { Role } from '../../core/actor.ts';
import { scopesAmong } from '../../core/scopes.ts';
import type { ApiKeyRow } from '../../db/prisma.ts';
import { findApiKeys } from '../../operations/find-access.ts';
import { builder } from '../builder.ts';
import { loaderOf, loadersOf } from '../context.ts';
import { keyUseLoader } from '../key-use-loader.ts';
import { ApiKeyScopeEnum, RoleEnum } from './enums.ts';

export const ApiKeyType = builder.objectRef<ApiKeyRow>('ApiKey');

builder.node(ApiKeyType, {
  description: 'A key that a program comes in with. The key itself is shown once, when it is made.',
  id: { resolve: (key) => key.id, description: 'Global id.' },
  loadMany: (ids, context) => {
    requireNeed(context.actor, findApiKeys.need);
    return ids.map((id) => loadersOf(context).apiKey.load(id));
  },
  fields: (t) => ({
    uuid: t.expose('id', {
      type: 'UUID',
      description: 'Its key in lists and logs: it acts as `key:<uuid>`. No secret.',
    }),
    name: t.exposeString('name', { description: 'What it is for.' }),
    role: t.field({
      type: RoleEnum,
      description: 'What it may do at most.',
      resolve: ({ role }) => role as Role,
    }),
    scopes: t.field({
      type: [ApiKeyScopeEnum],
      nullable: true,
      description: 'What it is narrowed to; null for all that its role may.',
      resolve: ({ scopes }) => scopesAmong(scopes),
    }),
    definitionKeys: t.stringList({
      nullable: true,
      description: 'The definitions whose jobs it may claim as a worker, by key; null for all.',
      resolve: ({ jobTypes }) => (jobTypes.length === 0 ? null : jobTypes),
    }),
    isPersistedOnly: t.exposeBoolean('persistedOnly', {
      description: 'Whether it takes registered operations only, by their ids.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends; null when it does not.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked; null while it is good.',
    }),
    lastUsedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When somebody last came in with it, to the minute; null when nobody has.',
      resolve: ({ id }, _args, context) => loaderOf(context, keyUseLoader).load(id),
    }),
    createdBy: t.exposeString('createdBy', {
      nullable: true,
      description: 'Who made it: `user:<sub>`, `key:<id>`, `system`.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});
