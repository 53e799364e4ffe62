import type { LaneLimitRow, TenantRow } from '../../db/prisma.ts';
import { findTenantOfAll } from '../../operations/find-tenant-of-all.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { readBack } from '../mutations/read-back.ts';
import { JobDefinitionType } from './job-definition.ts';
import { RateLimitType, rateLimitOf } from './rate-limit.ts';
import { secondsOf } from './seconds.ts';

const LaneLimitType = builder.objectRef<LaneLimitRow>('LaneLimit').implement({
  description: 'A tenant’s own limits for one definition; null leaves the definition’s per-tenant limit.',
  fields: (t) => ({
    definition: t.field({
      type: JobDefinitionType,
      description: 'For whose jobs.',
      resolve: async ({ definitionId }, _args, context) => {
        const definition = await loadersOf(context).definition.load(definitionId);
        if (definition !== null) return definition;
        throw new Error(`Definition ${definitionId} has limits but is gone`);
      },
    }),
    maxRunning: t.exposeInt('maxRunning', { nullable: true, description: 'N run at a time.' }),
    rateLimit: t.field({
      type: RateLimitType,
      nullable: true,
      description: 'N starts in a period.',
      resolve: (row) => rateLimitOf(row.rateLimitCount, row.rateLimitPeriodSeconds),
    }),
  }),
});

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
    isPaused: t.boolean({
      description: 'Whether none of its jobs are claimed.',
      resolve: ({ pausedAt }) => pausedAt !== null,
    }),
    weight: t.exposeInt('weight', { description: 'Its share of claims against other tenants, 1 to 100.' }),
    maxRunning: t.exposeInt('maxRunning', {
      nullable: true,
      description: 'At most N of its jobs run at a time; null for no limit.',
    }),
    rateLimit: t.field({
      type: RateLimitType,
      nullable: true,
      description: 'At most N of its jobs start in a period; null for no limit.',
      resolve: (row) => rateLimitOf(row.rateLimitCount, row.rateLimitPeriodSeconds),
    }),
    retentionSeconds: t.int({
      nullable: true,
      description: 'How long its finished jobs are kept, where their definition does not say.',
      resolve: ({ retentionSeconds }) => secondsOf(retentionSeconds),
    }),
    laneLimits: t.field({
      type: [LaneLimitType],
      nullable: true,
      authScopes: { member: true },
      description:
        'Its own limits for single definitions; null for a tenant that the caller does not act on.',
      resolve: (tenant, _args, context) =>
        tenant.id === context.actor.tenantId ? loadersOf(context).laneLimits.load(tenant.id) : null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    deletedAt: t.expose('deletedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it is being deleted; null for a living one.',
    }),
  }),
});

/** The tenant that the caller acts on. @throws Error when it is gone */
export async function actingTenant(context: Parameters<typeof loadersOf>[0]): Promise<TenantRow> {
  const { tenantId } = context.actor;
  const tenant = await loadersOf(context).tenant.load(tenantId);
  return tenant ?? tenantIsGone(tenantId);
}

/** @throws Error in any case: a caller that acts on a tenant has been let in by its row */
export function tenantIsGone(tenantId: string): never {
  throw new Error(`Tenant ${tenantId} is gone`);
}

/**
 * The payload of a mutation that changes the tenant: each has a type of its own, so that one can grow without
 * the others.
 */
export function tenantPayload(name: string) {
  return builder.objectRef<{ readonly kind: 'tenant'; readonly tenantId?: string }>(name).implement({
    description: 'The tenant, as it is now.',
    fields: (t) => ({
      tenant: t.field({
        type: TenantType,
        nullable: true,
        description: 'The tenant.',
        resolve: ({ tenantId }, _args, context) => {
          const { actor, deps } = context;
          const id = tenantId ?? actor.tenantId;
          return readBack(
            context,
            (loaders) =>
              id === actor.tenantId ? loaders.tenant.load(id) : findTenantOfAll(deps.reads, actor, id),
            `Tenant ${id}`,
          );
        },
      }),
    }),
  });
}
