import type { Static } from 'typebox';
import { versionOfTime } from '../../../core/version-match.ts';
import type { TenantRow } from '../../../db/prisma.ts';
import { rateLimitOf } from '../../../graphql/types/rate-limit.ts';
import { secondsOf } from '../../../graphql/types/seconds.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { findTenantOfAll } from '../../../operations/find-tenant-of-all.ts';
import { updateTenant } from '../../../operations/update-tenant.ts';
import type { RestContext } from '../../../rest/context.ts';
import { etagOf, versionMatchOf } from '../../../rest/etags.ts';
import { answerPage, LINK_HEADER, PAGE_QUERY, pageSchema } from '../../../rest/pages.ts';
import { defineAction, defineRoute, type RestPart, RestReply } from '../../../rest/route.ts';
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
    max_stored_bytes: Type.NullableInteger({
      description: 'Bytes of files that it may keep; null: as the installation says.',
    }),
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
    max_stored_bytes: row.maxStoredBytes === null ? null : Number(row.maxStoredBytes),
    paused_at: timeOrNull(row.pausedAt),
    deleted_at: timeOrNull(row.deletedAt),
    created_at: timeText(row.createdAt),
    updated_at: timeText(row.updatedAt),
  };
}

const ETAG = { etag: 'Its version, for `If-Match`.' };

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

const create = defineAction({
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
  answerHeaders: { ...ETAG, location: 'Where the tenant is.' },
  errors: ['InvalidArgument', 'AlreadyExists', 'Busy'],
  example: { body: { slug: 'acme', name: 'Acme, Inc.' }, answer: {} },
  act: ({ deps, caller }, { body }) => createTenant(deps.jobs, caller, body),
  show: (context, id) => answer(context, id, { location: `/api/v1/admin/tenants/${id}` }),
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
  answerHeaders: ETAG,
  errors: ['NotFound'],
  example: { params: { tenant_id: '{tenant_id}' }, answer: {} },
  run: (context, { params }) => answer(context, params.tenant_id),
});

const update = defineRoute({
  method: 'PATCH',
  path: '/admin/tenants/:tenant_id',
  operationId: 'updateTenant',
  tag: 'Tenants',
  summary: 'Change a tenant; null takes a limit away, absent leaves it',
  // For any tenant: an admin changes their own tenant through GraphQL.
  need: { ...updateTenant.need, role: 'super_admin' },
  params: PARAMS,
  body: Type.Object(
    {
      name: Type.Optional(Type.String({ description: 'What people call it.' })),
      weight: Type.Optional(Type.Integer({ description: 'Its share of the workers: 1 to 1000.' })),
      max_running: Type.Optional(
        Type.NullableInteger({ description: 'At most N of its jobs run at a time.' }),
      ),
      rate_limit: Type.Optional(nullable(RateSchema, { description: 'At most N starts in a period.' })),
      retention_seconds: Type.Optional(
        Type.NullableInteger({ description: 'How long finished jobs are kept.' }),
      ),
      max_stored_bytes: Type.Optional(
        Type.NullableInteger({ description: 'Bytes of files that it may keep.' }),
      ),
    },
    { title: 'UpdateTenant', additionalProperties: false },
  ),
  answer: TenantSchema,
  answerHeaders: ETAG,
  errors: ['InvalidArgument', 'NotFound', 'PreconditionFailed', 'Busy'],
  takesIfMatch: true,
  example: { params: { tenant_id: '{tenant_id}' }, body: { weight: 2 }, answer: {} },
  run: async (context, { params, body }) => {
    const { max_running: maxRunning, retention_seconds, max_stored_bytes, rate_limit, ...rest } = body;
    const patch = {
      ...rest,
      maxRunning,
      retentionSeconds: retention_seconds,
      maxStoredBytes: max_stored_bytes,
      rateLimit:
        rate_limit == null
          ? rate_limit
          : { count: rate_limit.count, periodSeconds: rate_limit.period_seconds },
    };
    const id = params.tenant_id.toLowerCase();
    await updateTenant(context.deps.jobs, context.caller, patch, id, versionMatchOf(context));
    return await answer(context, id);
  },
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

async function answer(
  { deps, caller }: RestContext,
  tenantId: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const id = tenantId.toLowerCase();
  const row = await findTenantOfAll(deps.reads, caller, id);
  if (row === null) throw notFound('tenant', id);
  const etag = etagOf(versionOfTime(row.updatedAt));
  return new RestReply(shownTenant(row), { headers: { ...headers, etag } });
}

/** What tenants add to the REST API. */
export const restPart: RestPart = { routes: [list, create, get, update, remove] };
