import type { Static } from 'typebox';
import type { TenantRow } from '../../../db/prisma.ts';
import { rateLimitOf } from '../../../graphql/types/rate-limit.ts';
import { secondsOf } from '../../../graphql/types/seconds.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { findTenantOfAll } from '../../../operations/find-tenant-of-all.ts';
import type { RestContext } from '../../../rest/context.ts';
import { answerPage, LINK_HEADER, PAGE_QUERY, pageSchema } from '../../../rest/pages.ts';
import { defineRoute, type RestPart, RestReply } from '../../../rest/route.ts';
import { nullable, Type } from '../../../rest/schema.ts';
import { RateSchema } from '../../../rest/schemas/definition.ts';
import { timeOrNull, timeText } from '../../../rest/shown-job.ts';
import { createTenant } from '../use-cases/create-tenant.ts';
import { deleteTenant } from '../use-cases/delete-tenant.ts';
import { findTenants } from '../use-cases/find-tenants.ts';

const TenantSchema = Type.Object(
  {
    id: Type.Uuid({ description: 'Its id.' }),
    slug: Type.String({ description: 'Its short name.' }),
    name: Type.String({ description: 'What people call it.' }),
    weight: Type.Integer({ description: 'Its share of the workers beside others.' }),
    max_running: Type.NullableInteger({ description: 'At most N of its jobs run at a time.' }),
    rate_limit: nullable(RateSchema, { description: 'At most N starts in a period.' }),
    retention_seconds: Type.NullableInteger({ description: 'How long finished jobs are kept.' }),
    paused_at: Type.NullableTime({ description: 'Since when its jobs are not claimed.' }),
    deleted_at: Type.NullableTime({ description: 'Since when it is being deleted.' }),
    created_at: Type.Time({ description: 'When it was made.' }),
    updated_at: Type.Time({ description: 'When it was last changed.' }),
  },
  { title: 'Tenant', description: 'Whose jobs they are.', additionalProperties: false },
);

function shownTenant(row: TenantRow): Static<typeof TenantSchema> {
  const rate = rateLimitOf(row.rateLimitCount, row.rateLimitPeriodSeconds);
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    weight: row.weight,
    max_running: row.maxRunning,
    rate_limit: rate === null ? null : { count: rate.count, period_seconds: rate.periodSeconds },
    retention_seconds: secondsOf(row.retentionSeconds),
    paused_at: timeOrNull(row.pausedAt),
    deleted_at: timeOrNull(row.deletedAt),
    created_at: timeText(row.createdAt),
    updated_at: timeText(row.updatedAt),
  };
}

const list = defineRoute({
  method: 'GET',
  path: '/admin/tenants',
  operationId: 'listTenants',
  tag: 'Tenants',
  summary: 'List all tenants, newest first',
  need: findTenants.need,
  query: Type.Object(
    {
      slug: Type.Optional(Type.String({ description: 'With this slug.' })),
      is_paused: Type.Optional(Type.Boolean({ description: 'Paused or not.' })),
      is_deleted: Type.Optional(Type.Boolean({ description: 'Those that are being deleted.' })),
      ...PAGE_QUERY,
    },
    { additionalProperties: false },
  ),
  answer: pageSchema('TenantPage', TenantSchema),
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument'],
  example: { query: { limit: 10 }, answer: { data: [], has_more: false, next_cursor: null } },
  run: async ({ deps, caller, url }, { query }) => {
    const filter = { slug: query.slug, isPaused: query.is_paused, isDeleted: query.is_deleted };
    const page = await findTenants(deps.reads, caller, filter, { first: query.limit, after: query.after });
    return answerPage(url, page, page.rows.map(shownTenant));
  },
});

const create = defineRoute({
  method: 'POST',
  path: '/admin/tenants',
  operationId: 'createTenant',
  tag: 'Tenants',
  summary: 'Make a tenant',
  need: createTenant.need,
  body: Type.Object(
    {
      slug: Type.String({ description: '1 to 63 of a-z, 0-9 and -.' }),
      name: Type.Optional(Type.NullableString({ description: 'The slug by default.' })),
    },
    { title: 'CreateTenant', additionalProperties: false },
  ),
  answer: TenantSchema,
  status: 201,
  answerHeaders: { location: 'Where the tenant is.' },
  errors: ['InvalidArgument', 'AlreadyExists', 'Busy'],
  example: { body: { slug: 'acme', name: 'Acme, Inc.' }, answer: {} },
  run: async (context, { body }) => {
    const id = await createTenant(context.deps.jobs, context.caller, body);
    return new RestReply(await found(context, id), { headers: { location: `/api/v1/admin/tenants/${id}` } });
  },
});

const PARAMS = Type.Object({ tenant_id: Type.Uuid({ description: 'The tenant’s id.' }) });

const get = defineRoute({
  method: 'GET',
  path: '/admin/tenants/:tenant_id',
  operationId: 'getTenant',
  tag: 'Tenants',
  summary: 'Read a tenant',
  need: findTenantOfAll.need,
  params: PARAMS,
  answer: TenantSchema,
  errors: ['NotFound'],
  example: { params: { tenant_id: '{tenant_id}' }, answer: {} },
  run: (context, { params }) => found(context, params.tenant_id),
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/admin/tenants/:tenant_id',
  operationId: 'deleteTenant',
  tag: 'Tenants',
  summary: 'Delete a tenant; what it has is removed in the background',
  need: deleteTenant.need,
  params: PARAMS,
  errors: ['InvalidArgument', 'NotFound', 'Busy'],
  example: { params: { tenant_id: '{spare_tenant_id}' }, answer: null },
  run: async ({ deps, caller }, { params }) => {
    await deleteTenant(deps.jobs, caller, { tenantId: params.tenant_id.toLowerCase() });
    return undefined;
  },
});

async function found({ deps, caller }: RestContext, tenantId: string): Promise<Static<typeof TenantSchema>> {
  const id = tenantId.toLowerCase();
  const row = await findTenantOfAll(deps.reads, caller, id);
  if (row === null) throw notFound('tenant', id);
  return shownTenant(row);
}

/** What tenants add to the REST API. */
export const restPart: RestPart = { routes: [list, create, get, remove] };
