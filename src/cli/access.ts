import { parseArgs } from 'node:util';
import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import { type EnsuredTenantRow, ensureTenant } from '../db/sql/identity/ensure-tenant.ts';
import { insertRevocation, type RevocationRow } from '../db/sql/identity/insert-revocation.ts';
import { type ApiKeyListRow, listApiKeys } from '../db/sql/identity/list-api-keys.ts';
import { removeMember } from '../db/sql/identity/remove-member.ts';
import { type RevokedApiKeyRow, revokeApiKey } from '../db/sql/identity/revoke-api-key.ts';
import { setMember } from '../db/sql/identity/set-member.ts';
import { revokedUntil } from '../operations/revoke-tokens.ts';
import { required, requireTenant, withDatabase } from './open-database.ts';
import { recordCommand } from './operator.ts';
import { visible, visibleCell } from './visible.ts';

export const ACCESS_USAGE = `millrace tenant create --slug <slug> [--name <name>]
millrace token revoke  --tenant <slug or id> (--sub <subject> | --id <token id>)   ends tokens issued until now
millrace key list      --tenant <slug or id>
millrace key revoke    --tenant <slug or id> --id <key id>
millrace member set    --tenant <slug or id> --sub <subject> --role member|tenant_admin
millrace member remove --tenant <slug or id> --sub <subject>

Open streams of a caller that loses access end within two seconds. Where a tenant has members, a token counts for no more than
its person's role there, and a person who is no member has none.
`;

type Options = Readonly<Record<'tenant' | 'slug' | 'name' | 'sub' | 'id' | 'role', string | undefined>>;

/**
 * The commands about who may come in: tenants, tokens, keys, members.
 * @param command e.g. `key`
 * @param args what follows it
 * @returns false when there is no such command; nothing was done then
 * @throws DomainError `InvalidArgument` `NotFound` `ConfigInvalid`
 */
export async function runAccessCommand(command: string, args: readonly string[]): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      tenant: text,
      slug: text,
      name: text,
      sub: text,
      id: text,
      role: text,
      help: { type: 'boolean' },
    },
  });
  const run = COMMANDS[`${command} ${positionals[0] ?? ''}`];
  if (values.help === true) process.stdout.write(ACCESS_USAGE);
  else if (run === undefined || positionals.length > 1) return false;
  else process.stdout.write(`${visible(await run(values as Options))}\n`);
  return true;
}

const COMMANDS: Readonly<Record<string, (options: Options) => Promise<string>>> = {
  'tenant create': createTenant,
  'token revoke': revokeToken,
  'key list': listKeys,
  'key revoke': revokeKey,
  'member set': setMemberRole,
  'member remove': removeMemberRole,
};

function createTenant({ slug, name }: Options): Promise<string> {
  const given = required('slug', slug);
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(given)) {
    throw refused('--slug', given, 'a–z, 0–9 and "-", at most 63 characters, no "-" first');
  }
  return withDatabase((database) =>
    database.transaction({ role: 'worker' }, async (tx) => {
      const values = [given, name ?? given];
      const { rows } = await tx.query<EnsuredTenantRow>(ensureTenant, values);
      const { id, created } = rows[0] as { id: string; created: boolean };
      if (created) await recordCommand(tx, id, 'tenant.create', id, { slug: given });
      return id;
    }),
  );
}

function revokeToken({ tenant, sub, id }: Options): Promise<string> {
  if ((sub === undefined) === (id === undefined))
    throw refused('--sub or --id', 'both or neither', 'one of them');
  return withDatabase(async (database, { jwtClockToleranceSeconds }) => {
    const { id: tenantId } = await requireTenant(database, tenant);
    const until = await database.transaction({ role: 'api', tenantId }, async (tx) => {
      const values = [tenantId, sub ?? null, id ?? null, 'system'];
      const { rows } = await tx.query<RevocationRow>(insertRevocation, values);
      await recordCommand(tx, tenantId, 'token.revoke', sub ?? id ?? '', {
        by: sub === undefined ? 'token id' : 'subject',
      });
      return revokedUntil(rows[0] as RevocationRow, jwtClockToleranceSeconds);
    });
    return `revoked: tokens of ${sub === undefined ? `id ${id}` : `subject ${sub}`} issued until ${until.toISOString()}`;
  });
}

function listKeys({ tenant }: Options): Promise<string> {
  return withDatabase(async (database) => {
    const { id: tenantId } = await requireTenant(database, tenant);
    const { rows } = await database.transaction({ role: 'api', tenantId, readOnly: true }, (tx) =>
      tx.query<ApiKeyListRow>(listApiKeys, [tenantId]),
    );
    const lines = rows.map((row) => [row.id, row.role, stateOf(row), visibleCell(row.name)].join('\t'));
    return ['id\trole\tstate\tname', ...lines].join('\n');
  });
}

function stateOf(row: ApiKeyListRow): string {
  if (row.revoked_at !== null) return `revoked ${row.revoked_at.toISOString()}`;
  return row.expires_at === null ? 'good without end' : `until ${row.expires_at.toISOString()}`;
}

function revokeKey({ tenant, id }: Options): Promise<string> {
  const keyId = required('id', id);
  if (!isUuid(keyId)) throw refused('--id', keyId, 'the id of a key, see `key list`');
  return withDatabase(async (database) => {
    const { id: tenantId } = await requireTenant(database, tenant);
    const done = await database.transaction({ role: 'api', tenantId }, async (tx) => {
      const { rows } = await tx.query<RevokedApiKeyRow>(revokeApiKey, [tenantId, keyId]);
      const isNew = rows[0]?.is_new === true;
      if (isNew) await recordCommand(tx, tenantId, 'api_key.revoke', keyId);
      return isNew;
    });
    if (done) return `revoked: key ${keyId}`;
    throw new DomainError('NotFound', `The tenant has no key ${keyId} that is still good.`, {
      field: '--id',
    });
  });
}

function setMemberRole({ tenant, sub, role }: Options): Promise<string> {
  const subject = required('sub', sub);
  if (role !== 'member' && role !== 'tenant_admin')
    throw refused('--role', role ?? 'missing', 'member, tenant_admin');
  return withDatabase(async (database) => {
    const { id: tenantId } = await requireTenant(database, tenant);
    await database.transaction({ role: 'api', tenantId }, async (tx) => {
      await tx.query(setMember, [tenantId, subject, role]);
      await recordCommand(tx, tenantId, 'member.set', subject, { role });
    });
    return `member: ${subject} is ${role}`;
  });
}

function removeMemberRole({ tenant, sub }: Options): Promise<string> {
  const subject = required('sub', sub);
  return withDatabase(async (database) => {
    const { id: tenantId } = await requireTenant(database, tenant);
    const done = await database.transaction({ role: 'api', tenantId }, async (tx) => {
      const { rowCount } = await tx.query(removeMember, [tenantId, subject]);
      if (rowCount === 1) await recordCommand(tx, tenantId, 'member.remove', subject);
      return rowCount === 1;
    });
    if (done) return `member: ${subject} is none any more`;
    throw new DomainError('NotFound', `${subject} is no member of the tenant.`, { field: '--sub' });
  });
}

function refused(field: string, shown: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${shown}; allowed: ${allowed}`, { field, allowed });
}
