import type pg from 'pg';

const MUST_BE_ON = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;
const SHOWN = [...MUST_BE_ON, 'wal_sync_method', 'shared_buffers', 'server_version'] as const;

/**
 * The server's settings that decide what a commit costs, as a line.
 * @throws Error when one is off that makes a commit durable: the figures would say nothing
 */
export async function describeDurability(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [SHOWN],
  );
  const settings = new Map(rows.map(({ name, value }) => [name, value]));
  for (const name of MUST_BE_ON) {
    if (settings.get(name) !== 'on')
      throw new Error(`${name} is ${settings.get(name)}; only "on" is measured`);
  }
  return SHOWN.map((name) => `${name}=${settings.get(name)}`).join(' ');
}
