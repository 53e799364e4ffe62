import type { Actor } from '../../core/actor.ts';
import type { TenantRow } from '../../db/prisma.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { RoleEnum } from './enums.ts';

export const TenantType = builder.objectRef<TenantRow>('Tenant');

builder.node(TenantType, {
  description: 'An organisation whose jobs and files nobody else sees.',
  id: { resolve: (tenant) => tenant.id, description: 'Global id.' },
  // Row security shows a tenant to itself only.
  loadMany: (ids, context) => ids.map((id) => loadersOf(context).tenant.load(id)),
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'The plain key, as tokens carry it.' }),
    slug: t.exposeString('slug', { description: 'Short name.' }),
    name: t.exposeString('name', { description: 'Name.' }),
    pausedAt: t.expose('pausedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when none of its jobs are claimed; null when they are.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

export const ViewerType = builder.objectRef<Actor>('Viewer').implement({
  description: 'Who asks, as the token says and the tenant confirms.',
  fields: (t) => ({
    name: t.exposeString('name', { description: '`user:<sub>` or `key:<id>`; written beside what they do.' }),
    role: t.expose('role', { type: RoleEnum, description: 'What they may do.' }),
    tenant: t.field({
      type: TenantType,
      description: 'The tenant they act for.',
      resolve: async (actor, _args, context) => {
        const tenant = await loadersOf(context).tenant.load(actor.tenantId);
        if (tenant !== null) return tenant;
        throw new Error(`Tenant ${actor.tenantId} is gone`);
      },
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the token ends, and with it every stream; null when it does not.',
    }),
  }),
});
