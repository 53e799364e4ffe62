import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { echo } from '../../src/domains/echo/echo.ts';
import { PrismaClient } from '../../src/generated/prisma/client.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

const page = readFileSync(new URL('../../docs/sql-api.md', import.meta.url), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    (match) => match[1] as string,
  );

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue([echo]);
  await q.makeTenant('demo');
});
afterAll(() => q.close());

async function jobCount(): Promise<number> {
  const { rows } = await q.superuser.query('select count(*)::int as n from millrace.jobs');
  return rows[0].n;
}

test.each(blocks('sql').map((sql) => [sql.split('\n', 1)[0], sql]))(
  'the block that begins with “%s” runs',
  async (_first, sql) => {
    const before = await jobCount();
    await q.superuser.query(sql as string);
    const enqueues = /from millrace\.enqueue\(|, *\n? *millrace\.enqueue\(/.test(sql as string);
    expect((await jobCount()) > before).toBe(enqueues);
  },
);

test('the Prisma example runs, in a transaction', async () => {
  const [source] = blocks('ts');
  const body = stripTypeScriptTypes(source as string);
  const example = new Function('prisma', `return (async () => { ${body}\nreturn jobId; })()`) as (
    prisma: PrismaClient,
  ) => Promise<string>;
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: q.url }) });
  try {
    expect(await q.job(await example(prisma))).toMatchObject({
      payload: { message: 'from Prisma' },
      status: 'queued',
    });
  } finally {
    await prisma.$disconnect();
  }
});
