import { parseArgs } from 'node:util';
import { loadConfig } from '../config/config.ts';
import { ROLES, type Role } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import { mayBelongTo } from '../core/system-tenant.ts';
import { Database } from '../db/database.ts';
import { findTenant, type TenantRow } from '../db/sql/identity/find-tenant.ts';
import { insertApiKey } from '../db/sql/identity/insert-api-key.ts';
import { hashApiKey, newApiKey } from '../identity/api-key.ts';
import { signToken } from '../identity/sign-token.ts';
import { parseTtlSeconds } from './ttl.ts';

const USAGE = `millrace token create --tenant <slug or id> --role <role> [options]

  --tenant   slug or id of the tenant
  --role     ${ROLES.join(', ')}
  --ttl      how long it is good: 30m, 12h, 7d, or never; 24h by default, for API keys never
  --sub      who it speaks for (JWT); "cli" by default
  --api-key  make an API key, which is looked up and can be revoked, instead of a JWT
  --name     name of the API key

Needs DATABASE_URL, and MILLRACE_JWT_SECRET for JWTs. Prints the token alone on stdout; an API key is never shown again.
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
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || positionals[0] !== 'create') {
    process.stdout.write(USAGE);
    return;
  }
  const role = roleOf(values.role);
  const ttlSeconds = parseTtlSeconds(values.ttl ?? (values['api-key'] ? 'never' : '24h'));
  const config = loadConfig();
  const token = await withTenant(config, required('tenant', values.tenant), (database, tenant) => {
    checkHome(role, tenant.id);
    return values['api-key']
      ? createApiKey(database, tenant.id, { role, ttlSeconds, name: required('name', values.name) })
      : signToken(config, { subject: values.sub, tenantId: tenant.id, role, ttlSeconds });
  });
  process.stdout.write(`${token}\n`);
}

async function createApiKey(
  database: Database,
  tenantId: string,
  key: { role: Role; ttlSeconds: number | null; name: string },
): Promise<string> {
  const secret = newApiKey();
  const expiresAt = key.ttlSeconds === null ? null : new Date(Date.now() + key.ttlSeconds * 1000);
  await database.transaction({ role: 'api', tenantId }, (tx) =>
    tx.query(insertApiKey, [tenantId, key.name, key.role, hashApiKey(secret), expiresAt, 'system']),
  );
  return secret;
}

async function withTenant<T>(
  config: ReturnType<typeof loadConfig>,
  slugOrId: string,
  work: (database: Database, tenant: TenantRow) => Promise<T>,
): Promise<T> {
  const { databaseUrl } = config;
  if (databaseUrl === null) {
    throw new DomainError('ConfigInvalid', 'DATABASE_URL is not set: the tenant cannot be looked up', {
      field: 'DATABASE_URL',
      allowed: 'a postgres:// URL',
    });
  }
  const database = new Database({
    connectionString: databaseUrl,
    rolePrefix: config.rolePrefix,
    maxConnections: 2,
    applicationName: 'millrace token',
    preparedStatements: config.preparedStatements,
    onError: () => undefined,
  });
  try {
    const { rows } = await database.asWorker<TenantRow>(findTenant, [slugOrId]);
    if (rows[0] !== undefined) return await work(database, rows[0]);
    throw new DomainError('NotFound', `There is no tenant ${JSON.stringify(slugOrId)}`, {
      field: '--tenant',
    });
  } finally {
    await database.close();
  }
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

function required(option: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw new DomainError('InvalidArgument', `--${option} is missing; see millrace token --help`, {
    field: `--${option}`,
  });
}
