import { statement } from '../../statement.ts';

/**
 * Schemas of payloads that may mark a field as secret; definitions belong to no tenant, and there are few.
 * Locks nothing.
 */
export const findSecretSchemas = statement(
  'find_secret_schemas',
  `select d.id, d.key, d.arg_schema as schema from millrace.job_definitions d where d.arg_schema::text ~ '"(writeOnly|format)"'`,
);

export interface SecretSchemaRow {
  readonly id: string;
  readonly key: string;
  readonly schema: unknown;
}
