import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WORK_CHANNEL } from '../../src/db/channels.ts';
import { measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant('sql');
});
afterAll(() => q.close());

interface Enqueued {
  readonly job_id: string;
  readonly kind: 'created' | 'existing';
}

/** Calls it with named arguments, as the superuser or another client. */
async function enqueue(args: Record<string, unknown>, client = q.superuser): Promise<Enqueued> {
  const given = { definition_key: 'alpha', tenant: 'sql', ...args };
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const list = entries.map(([name], index) => `${name} => $${index + 1}`).join(', ');
  const { rows } = await client.query<Enqueued>(
    `select * from millrace.enqueue(${list})`,
    entries.map(([, value]) => value),
  );
  return rows[0] as Enqueued;
}

/** Runs it in a transaction of its own connection that works as a role of Millrace. */
async function asRole<T>(role: string, tenant: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: q.url });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('role', $1, true), set_config('millrace.tenant_id', $2, true)`, [
      role,
      tenant,
    ]);
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    await client.end();
  }
}

describe('millrace.enqueue', () => {
  test('writes a job with the defaults of its definition, for a tenant by slug or by id', async () => {
    for (const tenant of ['sql', tenantId, tenantId.toUpperCase()]) {
      const { job_id: id, kind } = await enqueue({ payload: '{"a": 1}', tenant });
      expect(kind).toBe('created');
      expect(await q.job(id)).toMatchObject({
        tenant_id: tenantId,
        status: 'queued',
        source: 'manual',
        payload: { a: 1 },
        priority: 100,
        max_attempts: 3,
        created_by: 'sql:postgres',
        version: '1',
      });
    }
  });

  test('writes every argument', async () => {
    const at = new Date(Date.now() + 3_600_000);
    const { job_id: id } = await enqueue({
      priority: 7,
      scheduled_for: at,
      dedupe_key: 'all',
      dedupe_window_seconds: 60,
      max_attempts: 9,
      timeout_seconds: 11,
      expires_at: new Date(at.getTime() + 1000),
      correlation_id: 'c',
      subject_type: 'order',
      subject_id: '42',
      source_ref: 'here',
    });
    expect(await q.job(id)).toMatchObject({
      priority: 7,
      scheduled_for: at,
      requested_for: null,
      dedupe_key: 'all',
      max_attempts: 9,
      timeout_seconds: 11,
      expires_at: new Date(at.getTime() + 1000),
      correlation_id: 'c',
      subject_type: 'order',
      subject_id: '42',
      source_ref: 'here',
    });
  });

  test('clamps a past time to now and keeps what was asked for', async () => {
    const { job_id: id } = await enqueue({ scheduled_for: '2020-01-01T00:00:00Z' });
    const row = await q.job(id);
    expect(row['requested_for']).toEqual(new Date('2020-01-01T00:00:00Z'));
    expect((row['scheduled_for'] as Date).getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test('answers with the active job of a dedupe key, and within the window with one that has ended', async () => {
    const keyed = { dedupe_key: 'k', priority: 0 };
    const first = await enqueue(keyed);
    expect(await enqueue(keyed)).toEqual({ job_id: first.job_id, kind: 'existing' });
    for (const claimed of await q.claim(50)) await q.queue.finish(claimed, succeeded(), measured());
    expect(await enqueue({ ...keyed, dedupe_window_seconds: 600 })).toEqual({
      job_id: first.job_id,
      kind: 'existing',
    });
    await q.superuser.query(
      `update millrace.jobs set queued_at = queued_at - interval '1 hour' where id = $1`,
      [(await enqueue({ dedupe_key: 'old' })).job_id],
    );
    expect((await enqueue(keyed)).kind).toBe('created');
  });

  test('is there after the caller’s commit and not after a rollback; the commit wakes workers', async () => {
    const listener = new pg.Client({ connectionString: q.url });
    await listener.connect();
    const heard: string[] = [];
    listener.on('notification', ({ channel }) => heard.push(channel));
    await listener.query(`listen ${WORK_CHANNEL}`);
    const client = new pg.Client({ connectionString: q.url });
    await client.connect();
    try {
      await client.query('begin');
      const undone = await enqueue({}, client);
      await client.query('rollback');
      expect(await q.job(undone.job_id)).toBeUndefined();
      await client.query('begin');
      const { job_id: id } = await enqueue({}, client);
      expect(await q.job(id)).toBeUndefined();
      await client.query('commit');
      expect(await q.job(id)).toMatchObject({ status: 'queued' });
      await waitFor(() => heard.includes(WORK_CHANNEL), { describe: 'the notification' });
    } finally {
      await client.end();
      await listener.end();
    }
  });

  test('makes one job of 20 concurrent calls with one key', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        asRole('millrace_worker', '', (client) => enqueue({ dedupe_key: 'storm' }, client)),
      ),
    );
    expect(results.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    expect(new Set(results.map((result) => result.job_id)).size).toBe(1);
  });

  test('waits for its parents, and ends as its policy says when one has failed before', async () => {
    const parent = await enqueue({});
    const child = await enqueue({ depends_on: [parent.job_id] });
    expect(await q.job(child.job_id)).toMatchObject({ status: 'queued', pending_dependencies: 1 });
    const { rows } = await q.superuser.query('select * from millrace.job_dependencies where job_id = $1', [
      child.job_id,
    ]);
    expect(rows).toMatchObject([{ depends_on_id: parent.job_id, policy: 'cancel', tenant_id: tenantId }]);
    const failed = await enqueue({});
    await q.superuser.query(
      `update millrace.jobs set status = 'canceled', finished_at = now(), reason = 'no' where id = $1`,
      [failed.job_id],
    );
    for (const [policy, reason, canceled] of [
      ['cancel', 'parent_failed', true],
      ['skip', 'skipped', true],
      ['run', null, false],
    ]) {
      const late = await enqueue({ depends_on: [failed.job_id], dependency_policy: policy });
      const row = await q.job(late.job_id);
      expect(row).toMatchObject({ pending_dependencies: 0, reason });
      expect(row['cancel_requested_at'] !== null).toBe(canceled);
    }
  });

  test.each([
    ['definition_key', { definition_key: 'nobody' }, '42704'],
    ['definition_key', { definition_key: null }, '42704'],
    ['tenant', { tenant: 'nobody' }, '42704'],
    ['tenant', { tenant: '01900000-0000-7000-8000-000000000000' }, '42704'],
    ['tenant', { tenant: undefined }, '22023'],
    ['payload', { payload: null }, '22023'],
    ['payload', { payload: JSON.stringify({ x: 'x'.repeat(1_100_000) }) }, '54000'],
    ['priority', { priority: -1 }, '22023'],
    ['priority', { priority: null }, '22023'],
    ['max_attempts', { max_attempts: 0 }, '22023'],
    ['timeout_seconds', { timeout_seconds: 604_801 }, '22023'],
    ['scheduled_for', { scheduled_for: 'infinity' }, '22023'],
    ['scheduled_for', { scheduled_for: '-infinity' }, '22023'],
    ['expires_at', { expires_at: '2001-01-01' }, '22023'],
    ['expires_at', { scheduled_for: '2100-01-01', expires_at: '2099-01-01' }, '22023'],
    ['dedupe_key', { dedupe_key: '' }, '22023'],
    ['dedupe_key', { dedupe_key: '\u{1f600}'.repeat(700) }, '22023'],
    ['dedupe_window_seconds', { dedupe_window_seconds: 5 }, '22023'],
    ['dedupe_window_seconds', { dedupe_key: 'w', dedupe_window_seconds: 0 }, '22023'],
    ['correlation_id', { correlation_id: 'x'.repeat(256) }, '22023'],
    ['subject_id', { subject_type: 'order' }, '22023'],
    ['subject_type', { subject_id: '1' }, '22023'],
    ['source_ref', { source_ref: '' }, '22023'],
    ['depends_on', { depends_on: ['01900000-0000-7000-8000-000000000000'] }, '22023'],
    ['tags', { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, '22023'],
    ['tags', { tags: ['a', ''] }, '22023'],
    ['tags', { tags: ['x'.repeat(65)] }, '22023'],
    ['metadata', { metadata: '[1]' }, '22023'],
    ['metadata', { metadata: JSON.stringify({ a: 'x'.repeat(4090) }) }, '22023'],
    ['dependency_policy', { dependency_policy: 'hope' }, '22023'],
  ])('refuses a bad %s by name: %j', async (argument, args, code) => {
    await expect(enqueue(args)).rejects.toMatchObject({
      code,
      column: argument,
      message: expect.stringMatching(
        new RegExp(`^millrace\\.enqueue: .*(${argument.replace('_key', '')}|bytes)`),
      ),
    });
  });

  test('refuses numbers that a double cannot keep, by their path, and keeps the others', async () => {
    const refused: readonly (readonly [string, string])[] = [
      ['{"a": [1, {"id": 9007199254740993}]}', 'payload.a[1].id is 9007199254740993;'],
      ['[-9007199254740993]', 'payload[0] is -9007199254740993;'],
      // A double holds it, and writes other digits: 1152921504606847000.
      ['[1152921504606846976]', 'payload[0] is 1152921504606846976;'],
      ['{"big": 1e400}', 'payload.big is 1000'],
      ['{"big": -1.8e308}', 'payload.big is -1800'],
      ['12345678901234567.5', 'payload is 12345678901234567.5;'],
    ];
    for (const [payload, message] of refused)
      await expect(enqueue({ payload }), payload).rejects.toMatchObject({
        code: '22023',
        column: 'payload',
        message: expect.stringContaining(`millrace.enqueue: ${message}`),
      });
    const kept =
      '{"a": [9007199254740991, -9007199254740992, 1e300, 1.5, 1e-400, 0.12345678901234567, "9007199254740993", 1152921504606847000]}';
    const { job_id: id } = await enqueue({ payload: kept });
    expect((await q.job(id))['payload']).toEqual(JSON.parse(kept));
    await q.superuser.query('set extra_float_digits = -10');
    expect((await enqueue({ payload: '[1152921504606847000]' })).kind).toBe('created');
    await q.superuser.query('reset extra_float_digits');
  });

  test('refuses a definition that is not active, and a tenant that has been deleted', async () => {
    await q.superuser.query(`insert into millrace.job_definitions (key, is_active) values ('off', false)`);
    await expect(enqueue({ definition_key: 'off' })).rejects.toMatchObject({
      code: '55000',
      column: 'definition_key',
    });
    await q.makeTenant('gone');
    await q.superuser.query(`update millrace.tenants set deleted_at = now() where slug = 'gone'`);
    await expect(enqueue({ tenant: 'gone' })).rejects.toMatchObject({ code: '42704', column: 'tenant' });
  });
});

describe('tags and metadata', () => {
  test('are written as they were given, each tag once, and nothing where they are empty', async () => {
    const labeled = await enqueue({ tags: ['b', 'a', 'b'], metadata: '{"customer": 7}' });
    const job = await q.job(labeled.job_id);
    expect(job['metadata']).toEqual({ customer: 7 });
    expect(job['tags']).toEqual(['b', 'a']);
    const plain = await enqueue({ tags: [], metadata: '{}' });
    expect(await q.job(plain.job_id)).toMatchObject({ tags: null, metadata: null });
  });
});

describe('who may call millrace.enqueue', () => {
  test('the API’s role: for its transaction’s tenant only', async () => {
    const other = await q.makeTenant('other');
    const mine = await asRole('millrace_api', tenantId, (client) => enqueue({ tenant: undefined }, client));
    expect(await q.job(mine.job_id)).toMatchObject({ tenant_id: tenantId });
    await expect(
      asRole('millrace_api', tenantId, (client) => enqueue({ tenant: other }, client)),
    ).rejects.toMatchObject({
      code: '42501',
    });
    // Not even shown whether it is there.
    await expect(
      asRole('millrace_api', tenantId, (client) => enqueue({ tenant: 'no-such-tenant' }, client)),
    ).rejects.toMatchObject({ code: '42501' });
    await expect(asRole('millrace_api', '', (client) => enqueue({}, client))).rejects.toMatchObject({
      code: '42501',
    });
  });

  test('a role that was granted it: for every tenant, and nothing else', async () => {
    const name = `app_${process.pid}_${Date.now()}`;
    await q.superuser.query(
      `create role ${name}; grant usage on schema millrace to ${name}; grant execute on function millrace.enqueue to ${name}`,
    );
    try {
      const { job_id: id } = await asRole(name, '', (client) => enqueue({}, client));
      expect(await q.job(id)).toMatchObject({ tenant_id: tenantId });
      await q.superuser.query(
        `insert into millrace.job_definitions (key, enqueue_role) values ('inner', 'system')`,
      );
      for (const args of [{ definition_key: 'inner' }, { dedupe_key: 'millrace:alpha:1' }])
        await expect(asRole(name, '', (client) => enqueue(args, client))).rejects.toThrow(
          /only Millrace|allowed/,
        );
      await expect(
        asRole(name, '', (client) => client.query('select from millrace.jobs')),
      ).rejects.toMatchObject({
        code: '42501',
      });
    } finally {
      await q.superuser.query(`drop owned by ${name}; drop role ${name}`);
    }
  });

  test('nobody else', async () => {
    const name = `stranger_${process.pid}_${Date.now()}`;
    await q.superuser.query(`create role ${name}; grant usage on schema millrace to ${name}`);
    try {
      await expect(asRole(name, '', (client) => enqueue({}, client))).rejects.toMatchObject({
        code: '42501',
      });
    } finally {
      await q.superuser.query(`drop owned by ${name}; drop role ${name}`);
    }
  });
});
