import { globSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '../../src/db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { connectSuperuser } from '../support/superuser.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FILES = globSync('src/**/sql/**/*.ts', { cwd: ROOT });
/** What PREPARE takes; settings, LISTEN and cursors name no columns. */
const PREPARABLE = /^\/\*.*?\*\/\s*(select|with|insert|update|delete|merge)\b/i;

let database: TestDatabase;
let superuser: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = await connectSuperuser(database.url);
});
afterAll(async () => {
  await superuser.end();
  await database.drop();
});

describe('the statements of src', () => {
  it('each fit the schema that the migrations and routines make', async () => {
    const statements = new Map<string, Statement>();
    for (const file of FILES) {
      const exported: Record<string, unknown> = await import(join(ROOT, file));
      for (const value of Object.values(exported)) if (isStatement(value)) statements.set(value.name, value);
    }
    const problems: string[] = [];
    let prepared = 0;
    for (const { name, text } of statements.values()) {
      if (!PREPARABLE.test(text)) continue;
      prepared++;
      await superuser.query(`prepare "${name}" as ${text}`).then(
        () => superuser.query(`deallocate "${name}"`),
        (error: Error) => problems.push(`${name}: ${error.message}`),
      );
    }
    expect(problems).toEqual([]);
    expect(prepared).toBeGreaterThan(150);
  });
});

function isStatement(value: unknown): value is Statement {
  if (typeof value !== 'object' || value === null) return false;
  return 'name' in value && 'text' in value && typeof value.text === 'string';
}
