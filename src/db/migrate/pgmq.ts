import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { DomainError } from '../../core/errors.ts';
import { roleNames } from '../roles.ts';
import { openSession } from '../session.ts';
import { inRetriedTransaction } from './apply.ts';

const FOLDER = new URL('../../../prisma/pgmq/', import.meta.url);

export interface PgmqOptions {
  readonly connectionString: string;
  readonly rolePrefix?: string;
  /**
   * Slug of the tenant whose the queues are that are made in a transaction that names none; the only tenant
   * by default.
   */
  readonly tenant?: string | null;
}

/**
 * Makes the schema `pgmq` on Millrace's jobs, or brings it up to date: all in one transaction, any number of
 * times.
 * @returns the slug of the tenant whose new queues are; null where there are several and none is named
 * @throws DomainError `AlreadyExists` where the extension is installed, or the schema is somebody else's ·
 *   `UnknownTenant`
 */
export async function installPgmq({
  connectionString,
  rolePrefix = 'millrace',
  tenant = null,
}: PgmqOptions): Promise<string | null> {
  const { worker } = roleNames(rolePrefix);
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  const files = await Promise.all(names.map((name) => readFile(new URL(name, FOLDER), 'utf8')));
  const client = new pg.Client({ connectionString, application_name: 'millrace-migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await openSession(client);
    return await inRetriedTransaction(client, { title: 'schema pgmq', name: 'pgmq' }, {}, async () => {
      await refuseForeign(client, worker);
      await client.query(`create schema if not exists pgmq authorization "${worker}"`);
      await client.query(`grant references on millrace.tenants, millrace.job_definitions to "${worker}"`);
      await client.query(`grant usage on schema millrace to "${worker}"; set local role "${worker}"`);
      for (const file of files) await client.query(file);
      const slug = await keepTenant(client, tenant);
      await client.query('reset role');
      return slug;
    });
  } finally {
    await client.end();
  }
}

async function refuseForeign(client: pg.Client, worker: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    `select pg_get_userbyid(n.nspowner)::text as owner from pg_namespace n where n.nspname = 'pgmq'`,
  );
  const owner = rows[0]?.owner;
  if (owner === undefined || owner === worker) return;
  throw new DomainError(
    'AlreadyExists',
    `The schema pgmq is there and belongs to ${owner}: the extension, or a schema of your own.`,
    {
      field: 'pgmq',
      allowed: 'a database without the schema pgmq',
    },
  );
}

async function keepTenant(client: pg.Client, slug: string | null): Promise<string | null> {
  const { rows } = await client.query<{ id: string; slug: string }>(
    `select id, slug from millrace.tenants
     where deleted_at is null and ($1::text is null and id <> '00000000-0000-0000-0000-000000000000' or slug = $1) limit 2`,
    [slug],
  );
  if (slug !== null && rows.length === 0)
    throw new DomainError('UnknownTenant', `There is no tenant ${JSON.stringify(slug)}`, {
      field: 'pgmq-tenant',
      allowed: 'the slug of a tenant',
    });
  const [only] = rows;
  if (only === undefined || rows.length > 1) return null;
  await client.query(
    `insert into pgmq.settings (tenant_id) values ($1) on conflict (only_row) do update set tenant_id = excluded.tenant_id`,
    [only.id],
  );
  return only.slug;
}
