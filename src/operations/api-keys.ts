import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { type Actor, hasRole, ROLES, type Role } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import { SCOPES, type Scope } from '../core/scopes.ts';
import { mayBelongTo } from '../core/system-tenant.ts';
import { textProblem } from '../core/text-problem.ts';
import { type InsertedApiKeyRow, insertApiKey } from '../db/sql/identity/insert-api-key.ts';
import { type RevokedApiKeyRow, revokeApiKey as revokeRow } from '../db/sql/identity/revoke-api-key.ts';
import { hashApiKey, newApiKey } from '../identity/api-key.ts';
import { notFound } from '../jobs/not-found.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';
import { refused } from './ranges.ts';

/** A key to be made. */
export interface NewApiKey {
  readonly name: string;
  readonly role: Role;
  /** Narrows the role; null or absent: all that it may. */
  readonly scopes?: readonly Scope[] | null | undefined;
  /** Null or absent: never. */
  readonly expiresAt?: Date | null | undefined;
  /** Takes registered operations only, by their ids. */
  readonly persistedOnly?: boolean | null | undefined;
  /** For the role `worker`: the job types that it may claim, by key; null or absent: all. */
  readonly jobTypes?: readonly string[] | null | undefined;
}

const MAX_KEY_NAME_LENGTH = 200;
const TO_DO = 'make and revoke API keys';

/**
 * Makes a key of the tenant that the actor acts on, which can do no more than the actor.
 * @returns its id, and the key itself: nobody can read it again
 * @throws DomainError `Forbidden` `InvalidArgument` `Busy`
 */
export const createApiKey = defineUseCase(
  { name: 'createApiKey', role: 'tenant_admin', scope: 'admin', toDo: TO_DO },
  async (
    { db }: Pick<OperationDeps, 'db'>,
    actor: Caller,
    key: NewApiKey,
  ): Promise<{ readonly id: string; readonly secret: string }> => {
    checkRole(actor, key.role);
    const scopes = checkScopes(actor, key.scopes ?? null);
    const { name, role, expiresAt = null } = key;
    checkName(name);
    const jobTypes = checkJobTypes(key);
    if (expiresAt !== null && expiresAt.getTime() <= Date.now())
      throw refused('expiresAt', expiresAt.toISOString(), 'a time to come');
    const persistedOnly = key.persistedOnly === true;
    const { tenantId } = actor;
    const secret = newApiKey();
    const values = [
      tenantId,
      name,
      role,
      hashApiKey(secret),
      expiresAt,
      actor.name,
      scopes ?? [],
      persistedOnly,
      jobTypes ?? [],
    ];
    const id = await operate(
      db,
      `the API keys of tenant ${tenantId}`,
      async (tx) => {
        const { rows } = await tx.query<InsertedApiKeyRow>(insertApiKey, values);
        const made = (rows[0] as { id: string }).id;
        const details = { name, role, scopes, expiresAt, persistedOnly, ...(jobTypes && { jobTypes }) };
        await recordChange(tx, actor, 'api_key.create', { tenantId, type: 'api_key', id: made }, details);
        return made;
      },
      { role: 'api', tenantId },
    );
    return { id, secret };
  },
);

/**
 * Ends a key of the actor's tenant; again is nothing.
 * @throws DomainError `Forbidden` `NotFound` `Busy`
 */
export const revokeApiKey = defineUseCase(
  { name: 'revokeApiKey', role: 'tenant_admin', scope: 'admin', toDo: TO_DO },
  async ({ db }: Pick<OperationDeps, 'db'>, actor: Caller, keyId: string): Promise<void> => {
    const { tenantId } = actor;
    await operate(
      db,
      `API key ${keyId}`,
      async (tx) => {
        const { rows } = await tx.query<RevokedApiKeyRow>(revokeRow, [tenantId, keyId]);
        if (rows[0] === undefined) throw notFound('API key', keyId);
        if (!rows[0].is_new) return;
        await recordChange(tx, actor, 'api_key.revoke', { tenantId, type: 'api_key', id: keyId }, {});
      },
      { role: 'api', tenantId },
    );
  },
);

/** Nobody gives more than they have. */
function checkRole(actor: Actor, role: Role): void {
  const allowed = ROLES.filter(
    (each) => mayBelongTo(each, actor.tenantId) && (each === 'worker' || hasRole(actor.role, each)),
  );
  if (!allowed.includes(role)) throw refused('role', role, `for you: ${allowed.join(', ')}`, ROLES);
}

function checkScopes(actor: Actor, asked: readonly Scope[] | null): readonly Scope[] | null {
  const allowed = actor.scopes ?? SCOPES;
  // An empty list is one that somebody forgot to fill; taken at its word it would be a key that can do
  // nothing.
  if (asked?.length === 0) throw refused('scopes', 'empty', `one or more of ${allowed.join(', ')}`, SCOPES);
  if (asked === null && actor.scopes === null) return null;
  const tooMuch = asked === null ? 'missing' : asked.find((scope) => !allowed.includes(scope));
  if (tooMuch !== undefined) throw refused('scopes', tooMuch, `for you: ${allowed.join(', ')}`, SCOPES);
  return SCOPES.filter((scope) => asked?.includes(scope));
}

const JOB_TYPE = /^[a-z][a-z0-9_.-]{0,99}$/;
const MAX_JOB_TYPES = 100;

function checkJobTypes({ role, jobTypes }: NewApiKey): readonly string[] | null {
  if (jobTypes == null) return null;
  const allowed = `1 to ${MAX_JOB_TYPES} keys of job definitions`;
  if (role !== 'worker')
    throw refused('definitionKeys', `given for role ${role}`, 'null but for role worker', ROLES);
  if (jobTypes.length === 0 || jobTypes.length > MAX_JOB_TYPES)
    throw refused('definitionKeys', `${jobTypes.length} keys`, allowed);
  for (const [index, type] of jobTypes.entries())
    if (!JOB_TYPE.test(type))
      throw refused(
        `definitionKeys[${index}]`,
        JSON.stringify(type.slice(0, 120)),
        'the key of a job definition',
      );
  return [...new Set(jobTypes)].sort();
}

function checkName(name: string): void {
  const allowed = `1 to ${MAX_KEY_NAME_LENGTH} characters`;
  const problem = textProblem(name, MAX_KEY_NAME_LENGTH);
  if (name.trim() === '') throw refused('name', 'empty', allowed);
  if (problem === null) return;
  throw new DomainError('InvalidArgument', `name ${problem.problem}; allowed: ${problem.allowed}.`, {
    field: 'name',
    allowed: problem.allowed,
  });
}
