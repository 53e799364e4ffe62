import { parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import { ROLES, type Role } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import { SCOPES, type Scope } from '../core/scopes.ts';
import { mayBelongTo } from '../core/system-tenant.ts';
import type { Database } from '../db/database.ts';
import { type InsertedApiKeyRow, insertApiKey } from '../db/sql/identity/insert-api-key.ts';
import { hashApiKey, newApiKey } from '../identity/api-key.ts';
import { signToken } from '../identity/sign-token.ts';
import { localSecrets } from './local-secrets.ts';
import { requireAll, required, requireTenant, withDatabase } from './open-database.ts';
import { recordCommand } from './operator.ts';
import { parseTtlSeconds } from './ttl.ts';

export const TOKEN_CREATE_USAGE = `millrace token create --tenant <slug or id> --role <role> [options]

  --tenant   slug or id of the tenant
  --role     ${ROLES.join(', ')}
  --ttl      how long it is good: 30m, 12h, 7d, or never; 24h by default, for API keys never
  --sub      who it speaks for (JWT); "cli" by default
  --api-key  make an API key, which is looked up and can be revoked, instead of a JWT
  --name     name of the API key
  --scopes   narrows the API key: one or more of ${SCOPES.join(',')}; all that its role may by default

Works on DATABASE_URL (then MILLRACE_JWT_SECRET signs JWTs), else on a running demo or start. Prints the token alone on stdout; an API key is never shown again.
`;

/**
 * `millrace token …`.
 * @param args what follows `token`
 * @throws DomainError `InvalidArgument` `NotFound` `ConfigInvalid`
 */
export async function createToken(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      tenant: { type: 'string' },
      role: { type: 'string' },
      ttl: { type: 'string' },
      sub: { type: 'string', default: 'cli' },
      'api-key': { type: 'boolean', default: false },
      name: { type: 'string' },
      scopes: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || positionals[0] !== 'create') {
    process.stdout.write(TOKEN_CREATE_USAGE);
    return;
  }
  requireAll({ tenant: values.tenant, role: values.role, ...(values['api-key'] && { name: values.name }) });
  const role = roleOf(values.role);
  const ttlSeconds = parseTtlSeconds(values.ttl ?? (values['api-key'] ? 'never' : '24h'));
  const token = await withDatabase(async (database, config) => {
    const tenant = await requireTenant(database, values.tenant);
    checkHome(role, tenant.id);
    if (!values['api-key']) {
      const signing = await withLocalSecret(config);
      return signToken(signing, { subject: values.sub, tenantId: tenant.id, role, ttlSeconds });
    }
    return createApiKey(database, tenant.id, {
      role,
      ttlSeconds,
      name: required('name', values.name),
      scopes: scopesOf(values.scopes),
    });
  });
  process.stdout.write(`${token}\n`);
}

/** An all-in-one installation signs with the secret of its data directory. */
async function withLocalSecret(config: Config): Promise<Config> {
  if (config.jwtSecret !== null || config.databaseUrl !== null) return config;
  return { ...config, jwtSecret: (await localSecrets(config.dataDir)).jwtSecret };
}

async function createApiKey(
  database: Database,
  tenantId: string,
  key: { role: Role; ttlSeconds: number | null; name: string; scopes: readonly Scope[] | null },
): Promise<string> {
  const secret = newApiKey();
  const expiresAt = key.ttlSeconds === null ? null : new Date(Date.now() + key.ttlSeconds * 1000);
  await database.transaction({ role: 'api', tenantId }, async (tx) => {
    const values = [
      tenantId,
      key.name,
      key.role,
      hashApiKey(secret),
      expiresAt,
      'system',
      key.scopes ?? [],
      false,
      [],
    ];
    const { rows } = await tx.query<InsertedApiKeyRow>(insertApiKey, values);
    const { name, role, scopes } = key;
    const details = { name, role, scopes, expiresAt };
    await recordCommand(tx, tenantId, 'api_key.create', rows[0]?.id ?? '', details);
  });
  return secret;
}

/**
 * A word that is none would make a key that can do less than was meant, or nothing: better to notice it now.
 */
function scopesOf(given: string | undefined): readonly Scope[] | null {
  if (given === undefined) return null;
  const words = given.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !SCOPES.some((scope) => scope === word));
  if (unknown === undefined) return SCOPES.filter((scope) => words.includes(scope));
  const allowed = SCOPES.join(', ');
  throw new DomainError('InvalidArgument', `--scopes has ${JSON.stringify(unknown)}; allowed: ${allowed}`, {
    field: '--scopes',
    allowed,
  });
}

function checkHome(role: Role, tenantId: string): void {
  if (mayBelongTo(role, tenantId)) return;
  throw new DomainError('InvalidArgument', `--role is ${role}; allowed in the system tenant: super_admin`, {
    field: '--role',
    allowed: 'super_admin',
  });
}

function roleOf(given: string | undefined): Role {
  const found = ROLES.find((role) => role === given);
  if (found !== undefined) return found;
  const allowed = ROLES.join(', ');
  throw new DomainError('InvalidArgument', `--role is ${given ?? 'missing'}; allowed: ${allowed}`, {
    field: '--role',
    allowed,
  });
}
