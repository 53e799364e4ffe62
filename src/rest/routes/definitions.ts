import type { Static } from 'typebox';
import { versionOfTime } from '../../core/version-match.ts';
import type { DefinitionRow } from '../../db/prisma.ts';
import { rateLimitOf } from '../../graphql/types/rate-limit.ts';
import { secondsOf } from '../../graphql/types/seconds.ts';
import { definitionCursor } from '../../jobs/find-definitions.ts';
import { notFound } from '../../jobs/not-found.ts';
import { createDefinition } from '../../operations/create-definition.ts';
import { type DefinitionInput, patchOf } from '../../operations/definition-input.ts';
import { listDefinitions } from '../../operations/list-definitions.ts';
import { updateDefinition } from '../../operations/update-definition.ts';
import type { RestContext } from '../context.ts';
import { etagOf, versionMatchOf } from '../etags.ts';
import { answerRows, LINK_HEADER, PAGE_QUERY, pageSchema } from '../pages.ts';
import { defineAction, defineRoute, RestReply } from '../route.ts';
import { Type } from '../schema.ts';
import { DEFINITION_SETTINGS, DefinitionSchema } from '../schemas/definition.ts';
import { timeText } from '../shown-job.ts';
import { camelKeys, snakeKeys } from '../snake-keys.ts';

const SettingsSchema = Type.Object(DEFINITION_SETTINGS);

const list = defineRoute({
  method: 'GET',
  path: '/admin/jobs/definitions',
  operationId: 'listJobDefinitions',
  tag: 'Job definitions',
  summary: 'List job definitions, by their keys from a to z',
  need: listDefinitions.need,
  query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
  answer: pageSchema('JobDefinitionPage', DefinitionSchema),
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument'],
  example: { query: { limit: 10 }, answer: { data: [], has_more: false, next_cursor: null } },
  run: async ({ operation, caller, url }, { query: { limit, after } }) => {
    const page = await listDefinitions(operation.transaction, caller, { first: limit, after });
    const last = page.rows.at(-1);
    const cursor = page.hasNextPage && last !== undefined ? definitionCursor(last) : null;
    return answerRows(url, page.rows.map(shownDefinition), cursor);
  },
});

const create = defineAction({
  method: 'POST',
  path: '/admin/jobs/definitions',
  operationId: 'createJobDefinition',
  tag: 'Job definitions',
  summary: 'Make a job definition',
  need: createDefinition.need,
  body: Type.Object(
    {
      key: Type.String({ description: '1 to 100 of a-z, 0-9, _, -, ., starting with a letter.' }),
      ...DEFINITION_SETTINGS,
    },
    { title: 'CreateJobDefinition', additionalProperties: false },
  ),
  maxBodyBytes: 'largest',
  answer: DefinitionSchema,
  status: 201,
  answerHeaders: { etag: 'Its version, for `If-Match`.' },
  errors: ['InvalidArgument', 'AlreadyExists', 'Busy'],
  example: {
    body: {
      key: 'sync-dropbox',
      description: 'Sync provider updates for tenant',
      arg_schema: {
        type: 'object',
        properties: {
          provider_id: { type: 'string', format: 'uuid' },
          path_prefix: { type: 'string' },
        },
        required: ['provider_id'],
        additionalProperties: false,
      },
      timeout_seconds: 3600,
      max_attempts: 3,
    },
    answer: {},
  },
  act: ({ deps, caller }, { body: { key, ...settings } }) =>
    createDefinition(deps.jobs, caller, key, patchOf(inputOf(settings))),
  show: (context, id) => answer(context, id),
});

const update = defineRoute({
  method: 'PATCH',
  path: '/admin/jobs/definitions/:definition_id',
  operationId: 'updateJobDefinition',
  tag: 'Job definitions',
  summary: 'Change the settings of a job definition, in every tenant',
  need: updateDefinition.need,
  params: Type.Object({ definition_id: Type.Uuid({ description: 'The definition’s id.' }) }),
  body: Type.Object(DEFINITION_SETTINGS, { title: 'UpdateJobDefinition', additionalProperties: false }),
  maxBodyBytes: 'largest',
  answer: DefinitionSchema,
  answerHeaders: { etag: 'Its version, for `If-Match`.' },
  errors: ['InvalidArgument', 'NotFound', 'PreconditionFailed', 'Busy'],
  takesIfMatch: true,
  example: { params: { definition_id: '{definition_id}' }, body: { max_attempts: 5 }, answer: {} },
  run: async (context, { params, body }) => {
    const id = params.definition_id.toLowerCase();
    const definition = await found(context, id);
    const ifMatch = versionMatchOf(context);
    await updateDefinition(
      context.deps.jobs,
      context.caller,
      definition.key,
      patchOf(inputOf(body)),
      [],
      ifMatch,
    );
    return await answer(context, id);
  },
});

/** The body's settings under the names of the use-cases. */
function inputOf(settings: Static<typeof SettingsSchema>): DefinitionInput {
  const {
    arg_schema: payloadSchema,
    retry_policy: retry,
    rate_limit,
    rate_limit_per_tenant,
    ...rest
  } = settings;
  return {
    ...camelKeys(rest),
    ...(payloadSchema !== undefined && { payloadSchema }),
    ...(retry !== undefined && { retryPolicy: camelKeys(retry) }),
    ...(rate_limit !== undefined && { rateLimit: rate_limit === null ? null : camelKeys(rate_limit) }),
    ...(rate_limit_per_tenant !== undefined && {
      rateLimitPerTenant: rate_limit_per_tenant === null ? null : camelKeys(rate_limit_per_tenant),
    }),
  } as DefinitionInput;
}

async function answer(context: RestContext, id: string) {
  await context.operation.renew();
  const definition = await found(context, id);
  return new RestReply(shownDefinition(definition), {
    headers: { etag: etagOf(versionOfTime(definition.updatedAt)) },
  });
}

async function found({ operation }: RestContext, id: string): Promise<DefinitionRow> {
  const definition = await operation.loaders.definition.load(id);
  if (definition !== null) return definition;
  throw notFound('job definition', id);
}

export function shownDefinition(row: DefinitionRow): Static<typeof DefinitionSchema> {
  return {
    id: row.id,
    key: row.key,
    description: row.description,
    arg_schema: row.argSchema,
    timeout_seconds: row.timeoutSeconds,
    max_attempts: row.maxAttempts,
    lease_seconds: row.leaseSeconds,
    retry_policy: snakeKeys(row.retryPolicy),
    max_snoozes: row.maxSnoozes,
    snooze_deadline_seconds: row.snoozeDeadlineSeconds,
    enqueue_role: row.enqueueRole as Static<typeof DefinitionSchema>['enqueue_role'],
    is_active: row.isActive,
    is_paused: row.pausedAt !== null,
    is_archived: row.archivedAt !== null,
    max_running: row.maxRunning,
    max_running_per_tenant: row.maxRunningPerTenant,
    rate_limit: shownRate(row.rateLimitCount, row.rateLimitPeriodSeconds),
    rate_limit_per_tenant: shownRate(row.rateLimitPerTenantCount, row.rateLimitPerTenantPeriodSeconds),
    retention_seconds: secondsOf(row.retentionSeconds),
    created_at: timeText(row.createdAt),
    updated_at: timeText(row.updatedAt),
  };
}

function shownRate(count: number | null, periodSeconds: number | null) {
  const rate = rateLimitOf(count, periodSeconds);
  return rate === null ? null : { count: rate.count, period_seconds: rate.periodSeconds };
}

export const definitionRoutes = [list, create, update];
