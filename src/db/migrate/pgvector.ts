import pg from 'pg';
import { toError } from '../../core/errors.ts';
import { openSession } from '../session.ts';

/** Reads that go on until enough rows match a filter are there from this version on. */
const [LEAST_MAJOR, LEAST_MINOR] = [0, 8] as const;

/**
 * Makes the graph of links’ codes where the server has pgvector, which finds the nearest of very many without
 * looking at each. The extension is installed where this login may.
 * @returns what was done, for people; null where the server does not have the extension
 */
export async function preparePgvector(connectionString: string): Promise<string | null> {
  const client = new pg.Client({ connectionString, application_name: 'millrace-migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await openSession(client);
    const { rows } = await client.query<{ version: string; installed: string | null }>(
      `select default_version as version, installed_version as installed from pg_available_extensions where name = 'vector'`,
    );
    const [found] = rows;
    if (found === undefined) return null;
    const version = found.installed ?? found.version;
    if (!isEnough(version)) return `pgvector ${version} is too old, ${LEAST_MAJOR}.${LEAST_MINOR} is needed`;
    if (found.installed === null) {
      const problem = await client
        .query('create extension if not exists vector with schema public')
        .then(() => null)
        .catch((error: unknown) => toError(error).message);
      if (problem !== null) return `pgvector is there and could not be installed: ${problem}`;
    }
    return await makeGraph(client);
  } finally {
    await client.end();
  }
}

async function makeGraph(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string; is_valid: boolean | null }>(
    `select n.nspname as schema,
            (select i.indisvalid from pg_index i where i.indexrelid = to_regclass('millrace.link_vectors_graph_idx')) as is_valid
     from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector'`,
  );
  const { schema, is_valid: isValid } = rows[0] as { schema: string; is_valid: boolean | null };
  if (isValid === true) return 'the graph of links is there';
  // One that was interrupted is begun again.
  if (isValid === false) await client.query('drop index millrace.link_vectors_graph_idx');
  await client.query(
    `create index concurrently link_vectors_graph_idx on millrace.link_vectors
     using hnsw (code "${schema.replaceAll('"', '""')}".bit_hamming_ops)`,
  );
  return 'the graph of links was made';
}

function isEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > LEAST_MAJOR || (major === LEAST_MAJOR && minor >= LEAST_MINOR);
}
