import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { dumpSchema } from '../../scripts/schema-dump/dump.ts';
import { createTestDatabase } from '../support/database.ts';
import { connectSuperuser } from '../support/superuser.ts';

test('prisma/schema-dump.sql is what the migrations and routines make; `npm run schema:dump` writes it again', async () => {
  const database = await createTestDatabase();
  const client = await connectSuperuser(database.url);
  try {
    expect(await dumpSchema(client)).toBe(
      await readFile(new URL('../../prisma/schema-dump.sql', import.meta.url), 'utf8'),
    );
  } finally {
    await client.end();
    await database.drop();
  }
});
