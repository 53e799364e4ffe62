import './scalars.ts';
import './types/definition-workers.ts';
import './types/errors.ts';
import './types/job-dependency.ts';
import './types/job-json.ts';
import './types/job-log.ts';
import './types/job-artifact.ts';
import './types/job-log-file.ts';
import './types/job-replays.ts';
import './types/job-run-facts.ts';
import './types/job-viewer.ts';
import './types/tenant-access.ts';
import './queries/audit-log.ts';
import './queries/job-definition.ts';
import './queries/job-definitions.ts';
import './queries/job-statistics.ts';
import './queries/job-summary.ts';
import './queries/jobs.ts';
import './queries/tenant.ts';
import './queries/usage.ts';
import './queries/viewer.ts';
import './queries/workers.ts';
import './mutations/archive-job-definition.ts';
import './mutations/cancel-job.ts';
import './mutations/cancel-jobs.ts';
import './mutations/create-access-token.ts';
import './mutations/create-api-key.ts';
import './mutations/create-job-definition.ts';
import './mutations/enqueue-job.ts';
import './mutations/enqueue-jobs.ts';
import './mutations/pause-job-definition.ts';
import './mutations/pause-tenant.ts';
import './mutations/redact-job.ts';
import './mutations/remove-lane-limit.ts';
import './mutations/remove-member.ts';
import './mutations/replay-job.ts';
import './mutations/restore-job-definition.ts';
import './mutations/resume-job-definition.ts';
import './mutations/resume-tenant.ts';
import './mutations/retry-job.ts';
import './mutations/retry-jobs.ts';
import './mutations/revoke-access-token.ts';
import './mutations/revoke-api-key.ts';
import './mutations/revoke-tokens.ts';
import './mutations/set-lane-limit.ts';
import './mutations/set-member.ts';
import './mutations/update-job.ts';
import './mutations/update-job-definition.ts';
import './mutations/update-tenant.ts';
import './subscriptions/job-changed.ts';
import './subscriptions/job-changes.ts';
import './subscriptions/job-log.ts';
import './subscriptions/job-summary.ts';
import './subscriptions/workers-changed.ts';
import type { GraphQLSchema } from 'graphql';
import { accessOf } from './access/access.ts';
import type { Access } from './access/access-types.ts';
import { askAtTypes } from './access/ask-at-types.ts';
import { checkEachEvent } from './access/read-scopes.ts';
import { builder } from './builder.ts';
import type { GraphqlPart } from './part.ts';

/** The schema with what credentials may see of it. */
export interface Api {
  readonly schema: GraphQLSchema;
  readonly access: Access;
}

let built: { readonly parts: readonly GraphqlPart[]; readonly api: Api } | undefined;

/**
 * Builds the schema; `schema.graphql` is its printed form. The builder is one for the process, so a process
 * has one schema: of the parts whose modules it has loaded.
 */
export function buildSchema(parts: readonly GraphqlPart[]): Api {
  if (built !== undefined && isSame(built.parts, parts)) return built.api;
  const access = accessOf(parts);
  const schema = askAtTypes(checkEachEvent(builder.toSchema()), access);
  built = { parts, api: { schema, access } };
  return built.api;
}

function isSame(one: readonly GraphqlPart[], other: readonly GraphqlPart[]): boolean {
  return one.length === other.length && one.every((part) => other.includes(part));
}
