import type { ClientBase } from 'pg';
import { BODY_SECTION, SECTIONS } from './sections.ts';

/**
 * Writes down what a migrated database holds, from Postgres' own catalog: the same text for the same schema,
 * whatever it was made by.
 * @param options.bodies with the whole text of every function, for comparing two databases
 */
export async function dumpSchema(
  client: ClientBase,
  { schema = 'millrace', bodies = false }: { readonly schema?: string; readonly bodies?: boolean } = {},
): Promise<string> {
  const parts = [
    '-- Written by `npm run schema:dump` from the catalog of a migrated database; compared by a test. Not to be run.\n',
  ];
  await client.query(`select set_config('search_path', 'pg_catalog, pg_temp', false)`);
  for (const [title, query] of bodies ? [...SECTIONS, BODY_SECTION] : SECTIONS) {
    const { rows } = await client.query<{ entry: string }>(query, [schema]);
    parts.push(`-- ${title}\n\n${rows.map((row) => row.entry.trimEnd()).join('\n')}\n`);
  }
  return parts.join('\n');
}
