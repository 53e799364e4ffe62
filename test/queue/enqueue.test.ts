import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

describe('enqueue', () => {
  test('writes the job with the defaults of its definition', async () => {
    const tenantId = await q.makeTenant();
    const [result] = await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: { a: 1 } }]);
    expect(result?.kind).toBe('created');
    expect(await q.job(result?.id ?? '')).toMatchObject({
      status: 'queued',
      priority: 100,
      max_attempts: 3,
      run_no: 0,
      attempt_count: 0,
      payload: { a: 1 },
      version: '1',
    });
  });

  test('clamps a past time to now and keeps the time that was asked for', async () => {
    const tenantId = await q.makeTenant();
    const asked = new Date('2020-01-01T00:00:00Z');
    const before = Date.now() - 1000;
    const [result] = await q.queue.enqueue(tenantId, [
      { definitionKey: 'alpha', payload: {}, scheduledFor: asked },
    ]);
    const row = await q.job(result?.id ?? '');
    expect(row['requested_for']).toEqual(asked);
    expect((row['scheduled_for'] as Date).getTime()).toBeGreaterThan(before);
  });

  test('answers one active job for a dedupe key, within one call and across calls, and a new one once it has ended', async () => {
    const tenantId = await q.makeTenant();
    const input = { definitionKey: 'alpha', payload: {}, dedupeKey: 'one' };
    const [first, second] = await q.queue.enqueue(tenantId, [input, input]);
    const [third] = await q.queue.enqueue(tenantId, [input]);
    expect([first?.kind, second?.kind, third?.kind]).toEqual(['created', 'existing', 'existing']);
    expect(new Set([first?.id, second?.id, third?.id]).size).toBe(1);
    const claimed = (await q.claim()).find((item) => item.job.id === first?.id);
    if (claimed === undefined) throw new Error('not claimed');
    expect((await q.queue.enqueue(tenantId, [input]))[0]?.kind).toBe('existing');
    await q.queue.finish(claimed, succeeded(), measured());
    expect((await q.queue.enqueue(tenantId, [input]))[0]?.kind).toBe('created');
  });

  test('lets two tenants use the same dedupe key', async () => {
    const input = { definitionKey: 'alpha', payload: {}, dedupeKey: 'shared' };
    const results = await Promise.all([
      q.queue.enqueue(await q.makeTenant(), [input]),
      q.queue.enqueue(await q.makeTenant(), [input]),
    ]);
    expect(results.flat().map((result) => result.kind)).toEqual(['created', 'created']);
  });

  test('waits for an uncommitted rival, then answers with the job that the rival made', async () => {
    const tenantId = await q.makeTenant();
    await q.superuser.query('begin');
    const { rows } = await q.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, dedupe_key) values ($1, $2, 'rival') returning id`,
      [tenantId, q.definitionId('alpha')],
    );
    const waiting = q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {}, dedupeKey: 'rival' }]);
    await waitFor(
      async () => {
        // Inside the rival's transaction now() stands still, but pg_stat_activity does not.
        const seen = await q.superuser.query(`select pg_stat_clear_snapshot(), exists (
          select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert_%jobs%' and datname = current_database()) as waits`);
        return seen.rows[0].waits;
      },
      { describe: 'the enqueue to wait for the rival' },
    );
    await q.superuser.query('commit');
    expect(await waiting).toEqual([{ id: rows[0].id, kind: 'existing' }]);
  });

  test('makes exactly one job of 40 concurrent enqueues with one key', async () => {
    const tenantId = await q.makeTenant();
    const results = await Promise.all(
      Array.from({ length: 40 }, () =>
        q.queue.enqueue(tenantId, [{ definitionKey: 'beta', payload: {}, dedupeKey: 'storm' }]),
      ),
    );
    expect(results.flat().filter((result) => result.kind === 'created')).toHaveLength(1);
    expect(new Set(results.flat().map((result) => result.id)).size).toBe(1);
  });

  test('makes NUL bytes and lone surrogates storable instead of losing the job', async () => {
    const tenantId = await q.makeTenant();
    const [result] = await q.queue.enqueue(tenantId, [
      { definitionKey: 'alpha', payload: { 'k\u0000': 'a\u0000b', single: '\ud800' } },
    ]);
    expect((await q.job(result?.id ?? ''))['payload']).toEqual({ 'k\u2400': 'a\u2400b', single: '\ufffd' });
  });

  test.each([
    ['definitionKey', { definitionKey: 'nobody' }, 'UnknownDefinition'],
    ['priority', { priority: 1.5 }, 'InvalidArgument'],
    ['priority', { priority: -1 }, 'InvalidArgument'],
    ['scheduledFor', { scheduledFor: new Date(Number.NaN) }, 'InvalidArgument'],
    ['scheduledFor', { scheduledFor: new Date('2300-01-01') }, 'InvalidArgument'],
    ['maxAttempts', { maxAttempts: 0 }, 'InvalidArgument'],
    ['dedupeKey', { dedupeKey: '' }, 'InvalidArgument'],
    ['dedupeKey', { dedupeKey: 'a\u0000' }, 'InvalidArgument'],
    ['subject.id', { subject: { type: 'order', id: 'x'.repeat(256) } }, 'InvalidArgument'],
  ])('refuses a bad %s by name and writes nothing', async (field, bad, code) => {
    const tenantId = await q.makeTenant();
    const good = { definitionKey: 'alpha', payload: {} };
    await expect(q.queue.enqueue(tenantId, [good, { ...good, ...bad }])).rejects.toMatchObject({
      code,
      details: { field: `inputs[1].${field}` },
    });
    const { rows } = await q.superuser.query(
      'select count(*)::int as n from millrace.jobs where tenant_id = $1',
      [tenantId],
    );
    expect(rows[0].n).toBe(0);
  });
});
