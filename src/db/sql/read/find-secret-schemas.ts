import type { JobDefinition } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Schemas of payloads that may mark a field as secret; definitions belong to no tenant, and there are few.
 * Locks nothing.
 */
export const findSecretSchemas = statement(
  'find_secret_schemas',
  `select d.id, d.key, d.arg_schema as schema from millrace.job_definitions d where d.arg_schema::text ~ '"(writeOnly|format)"'`,
);

export interface SecretSchemaRow extends Columns<JobDefinition, 'id' | 'key'> {
  readonly schema: unknown;
}
