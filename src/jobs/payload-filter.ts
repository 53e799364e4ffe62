import { DomainError } from '../core/errors.ts';
import { hasSecretFields, maskPayload } from '../core/redaction/secret-fields.ts';
import { checkStorableJson } from '../core/storable-json.ts';
import type { PayloadCondition } from '../db/job-walk-parts.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import { findSecretSchemas, type SecretSchemaRow } from '../db/sql/read/find-secret-schemas.ts';

const FIELD = 'filter.payloadContains';
/** Characters of the JSON that is looked for. */
const MAX_LENGTH = 4_000;

/**
 * The condition that a payload contains an object. What is secret is not looked for, since a guess would be
 * confirmed by what is found: names of secrets are refused, and jobs of definitions that mark one of the
 * fields are not among what is found.
 * @param definitionIds those that the filter names, if it does
 * @throws DomainError `InvalidArgument` for what is no object, an empty or a long one, and for secret fields
 */
export async function payloadCondition(
  reads: ReadTransaction,
  asked: unknown,
  definitionIds: readonly string[] | null,
): Promise<PayloadCondition> {
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked) || Object.keys(asked).length === 0)
    throw refused(FIELD, 'is no object with fields', 'an object with the fields to be found: {"orderId": 7}');
  checkStorableJson(FIELD, asked);
  const json = JSON.stringify(asked);
  if (json.length > MAX_LENGTH)
    throw refused(FIELD, 'is too long', `at most ${MAX_LENGTH} characters of JSON`);
  const named = secretPath({}, asked);
  if (named !== null) throw refused(named, 'is a secret by its name', 'fields that are no secrets');
  const schemas = await reads.query<SecretSchemaRow>(findSecretSchemas, []);
  const marking = schemas.filter(({ schema }) => marksAny(schema, asked));
  const chosen = marking.find(({ id }) => definitionIds?.includes(id) === true);
  if (chosen !== undefined) {
    const path = secretPath(chosen.schema, asked) ?? FIELD;
    throw refused(path, `is a secret field of ${JSON.stringify(chosen.key)}`, 'fields that are no secrets');
  }
  return { json, withoutDefinitions: marking.map(({ id }) => id) };
}

function marksAny(schema: unknown, asked: object): boolean {
  if (!hasSecretFields(schema)) return false;
  // An item that is looked for may stand at any place of a list; a schema of places says nothing about all of
  // them.
  return (
    secretPath(schema, asked) !== null ||
    (hasList(asked) && /"(?:prefixItems|items)":\[/.test(JSON.stringify(schema)))
  );
}

function hasList(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasList);
}

/** The place of the first field that would not be shown; null without any. */
function secretPath(schema: unknown, asked: object): string | null {
  return firstChanged(asked, maskPayload(schema, asked), FIELD);
}

function firstChanged(before: unknown, after: unknown, path: string): string | null {
  if (before === after) return null;
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null)
    return path;
  for (const [name, value] of Object.entries(before)) {
    const inner = Array.isArray(before) ? `${path}[${name}]` : `${path}.${name.slice(0, 100)}`;
    const found = firstChanged(value, (after as Readonly<Record<string, unknown>>)[name], inner);
    if (found !== null) return found.slice(0, 200);
  }
  return path;
}

function refused(field: string, problem: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} ${problem}; allowed: ${allowed}.`, { field, allowed });
}
