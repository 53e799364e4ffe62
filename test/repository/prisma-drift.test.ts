import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDrift } from '../../scripts/drift/find-drift.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { repository } from './planted.ts';

let database: TestDatabase;
let schema: string;

beforeAll(async () => {
  database = await createTestDatabase();
  schema = await readFile(join(repository, 'prisma/schema.prisma'), 'utf8');
});
afterAll(() => database.drop());

/** The differences after these statements, which are rolled back with the rest of a throw-away clone. */
async function driftAfter(...statements: string[]): Promise<string[]> {
  const clone = await createTestDatabase();
  const client = new pg.Client({ connectionString: clone.url });
  try {
    await client.connect();
    for (const statement of statements) await client.query(statement);
    return await findDrift(clone.url, schema);
  } finally {
    await client.end();
    await clone.drop();
  }
}

describe('the comparison of schema.prisma with the migrated database', () => {
  it('finds no difference as things are', async () => {
    expect(await findDrift(database.url, schema)).toEqual([]);
  });

  it('finds a table, a column, a type, a nullability and a default that only the database has', async () => {
    expect(
      await driftAfter(
        'create table millrace.planted (id int primary key)',
        'alter table millrace.videos add column planted text',
        'alter table millrace.videos alter column width_px type bigint',
        'alter table millrace.videos alter column title drop not null',
        'alter table millrace.videos alter column status drop default',
      ),
    ).toEqual([
      'table planted is not in schema.prisma',
      'column videos.title: nullability is not null in schema.prisma and nullable in the database',
      'column videos.status: default is present in schema.prisma and absent in the database',
      'column videos.width_px: type is integer in schema.prisma and bigint in the database',
      'column videos.planted is not in schema.prisma',
      'primary key of planted (id) is not in schema.prisma',
    ]);
  });

  it('finds keys that differ, down to what a foreign key does on delete', async () => {
    const problems = await driftAfter(
      'alter table millrace.artifacts drop constraint artifacts_tenant_id_key_key',
      'alter table millrace.artifacts drop constraint artifacts_tenant_id_fkey',
      'alter table millrace.artifacts add foreign key (tenant_id) references millrace.tenants (id) on delete cascade',
      'alter table millrace.stored_attempts drop constraint stored_attempts_pkey',
      'create unique index on millrace.job_workers (hostname, pid)',
    );
    expect(problems.sort()).toEqual([
      'foreign key of artifacts (tenant_id) to tenants (id) on delete cascade on update no action is not in schema.prisma',
      'foreign key of artifacts (tenant_id) to tenants (id) on delete restrict on update no action is not in the database',
      'primary key of stored_attempts (job_id, attempt_no) is not in the database',
      'unique key of artifacts (tenant_id, key) is not in the database',
      'unique key of job_workers (hostname, pid) is not in schema.prisma',
    ]);
  });

  it('finds what only schema.prisma has', async () => {
    const edited = schema
      .replace('  originalKey String ', '  planted Int?\n  originalKey String ')
      .concat('\nmodel Planted {\n  id Int @id\n  @@map("planted")\n  @@schema("millrace")\n}\n');
    expect(await findDrift(database.url, edited)).toEqual([
      'table planted is not in the database',
      'column videos.planted is not in the database',
      'primary key of planted (id) is not in the database',
    ]);
  });

  it('passes on what Prisma says about a schema that it cannot read', async () => {
    await expect(findDrift(database.url, schema.replace('model Video', 'modle Video'))).rejects.toThrow(
      /modle Video/,
    );
  });
});
