import pg from 'pg';
import { readCatalog } from './catalog.ts';
import { compareCatalogs } from './compare.ts';
import { declaredDdl } from './declared-ddl.ts';
import { KEPT_BY_TRIGGERS } from './kept-by-triggers.ts';

/**
 * The Postgres schema that Prisma's DDL is carried out in, beside the migrated one; rolled back afterwards.
 */
const DECLARED = 'millrace_declared';

/**
 * Compares a schema.prisma with a migrated database: carries out what Prisma would have made beside what the
 * migrations made, reads both from Postgres' own catalogue, and changes nothing in the end.
 *
 * @returns differences, one line each
 */
export async function findDrift(migratedUrl: string, prismaSchema: string): Promise<string[]> {
  const ddl = await declaredDdl(migratedUrl, prismaSchema, DECLARED);
  const client = new pg.Client({ connectionString: migratedUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(ddl);
    const declared = await readCatalog(client, DECLARED);
    const problems = compareCatalogs(
      {
        ...declared,
        constraints: new Set([...declared.constraints].filter((key) => !KEPT_BY_TRIGGERS.has(key))),
      },
      await readCatalog(client, 'millrace'),
    );
    await client.query('rollback');
    return problems;
  } finally {
    await client.end();
  }
}
