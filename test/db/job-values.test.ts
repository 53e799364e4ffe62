import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

// What a job may be made with, whatever writes it: kept by triggers, which a claim and a settlement pass by.

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

type Values = Readonly<Record<string, string | number | object | null>>;

async function insert(values: Values): Promise<string> {
  const columns = Object.keys(values);
  const { rows } = await q.superuser.query<{ id: string }>(
    `insert into millrace.jobs (tenant_id, definition_id, payload${columns.map((name) => `, ${name}`).join('')})
     values ($1, $2, '{}'${columns.map((_, at) => `, $${at + 3}`).join('')}) returning id`,
    [tenantId, q.definitionId('alpha'), ...Object.values(values)],
  );
  return rows[0]?.id ?? '';
}

function update(id: string, values: Values): Promise<unknown> {
  const set = Object.keys(values).map((name, at) => `${name} = $${at + 2}`);
  return q.superuser.query(`update millrace.jobs set ${set.join(', ')} where id = $1`, [
    id,
    ...Object.values(values),
  ]);
}

describe.each<readonly [constraint: string, bad: readonly Values[], good: readonly Values[]]>([
  ['source', [{ source: 'elsewhere' }], [{ source: 'system' }]],
  [
    'tags',
    [
      { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) },
      { tags: ['a', ''] },
      { tags: [null] },
      { tags: ['x'.repeat(65)] },
      { tags: [['a']] },
    ],
    [{ tags: Array.from({ length: 20 }, (_, n) => `t${n}`) }, { tags: ['x'.repeat(64)] }, { tags: null }],
  ],
  ['metadata', [{ metadata: '[1]' }, { metadata: '7' }], [{ metadata: { a: 1 } }, { metadata: null }]],
  ['priority', [{ priority: -1 }, { priority: 1_000_001 }], [{ priority: 0 }, { priority: 1_000_000 }]],
  [
    'dedupe_key',
    [{ dedupe_key: '' }, { dedupe_key: 'x'.repeat(1025) }],
    [{ dedupe_key: 'x'.repeat(1024) }, { dedupe_key: null }],
  ],
  [
    'correlation_id',
    [{ correlation_id: '' }, { correlation_id: 'x'.repeat(256) }],
    [{ correlation_id: 'x' }, { correlation_id: null }],
  ],
  [
    'subject_type',
    [{ subject_type: '', subject_id: 'a' }],
    [{ subject_type: 'x'.repeat(100), subject_id: 'a' }],
  ],
  [
    'subject_id',
    [{ subject_type: 'a', subject_id: 'x'.repeat(256) }],
    [{ subject_type: 'a', subject_id: 'b' }],
  ],
  ['max_attempts', [{ max_attempts: 0 }, { max_attempts: 1001 }], [{ max_attempts: 1000 }]],
  [
    'timeout_seconds',
    [{ timeout_seconds: 0 }, { timeout_seconds: 604_801 }],
    [{ timeout_seconds: 604_800 }, { timeout_seconds: null }],
  ],
  ['pending_dependencies', [{ pending_dependencies: -1 }], [{ pending_dependencies: 1 }]],
  [
    'subject',
    [
      { subject_type: 'a', subject_id: null },
      { subject_type: null, subject_id: 'a' },
    ],
    [{ subject_type: null, subject_id: null }],
  ],
])('%s', (name, bad, good) => {
  test('is refused out of its bounds, of a new job and of one that is there', async () => {
    const id = await insert({});
    const before = await q.job(id);
    for (const values of bad) {
      const refusal = { code: '23514', constraint: `jobs_${name}_check`, table: 'jobs', schema: 'millrace' };
      await expect(insert(values)).rejects.toMatchObject(refusal);
      await expect(update(id, values)).rejects.toMatchObject(refusal);
    }
    expect(await q.job(id)).toEqual(before);
  });

  test('is taken at its bounds', async () => {
    for (const values of good) {
      const made = await insert(values);
      expect(await q.job(made)).toMatchObject(values);
      await q.superuser.query('delete from millrace.jobs where id = $1', [made]);
      const changed = await insert({});
      await update(changed, values);
      expect(await q.job(changed)).toMatchObject(values);
    }
  });
});
