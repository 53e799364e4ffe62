import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFilter, type JobFilter } from '../../src/events/filter.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';
import { openStage, type Stage, Watcher } from './stage.ts';

const TENANT = '01900000-0000-7000-8000-000000000000';

describe('a filter', () => {
  const subjectOf = (text: string) => ({ type: text, id: text });
  const REFUSED: readonly (readonly [string, Partial<JobFilter>])[] = [
    ...['\0', 'a\ud800', 'x'.repeat(301)].flatMap(
      (text) =>
        [
          ['filter.correlationId', { correlationId: text }],
          ['filter.createdBy', { createdBy: text }],
          ['filter.subject.type', { subject: subjectOf(text) }],
          ['filter.subject.key', { subject: { type: 'x', id: text } }],
        ] as const,
    ),
    ['filter.ids', { ids: ['\0'] }],
    ['filter.ids', { ids: Array(1_001).fill(TENANT) }],
    ['filter.definitionIds', { definitionIds: ['x'] }],
    ['filter.statuses', { statuses: ['gone' as never] }],
    ['filter.statuses', { statuses: Array(101).fill('queued') }],
    ['filter.initialLimit', { initialLimit: 0 }],
    ['filter.sinceSeconds', { sinceSeconds: -1 }],
  ];
  it.each(REFUSED)('is refused for %s, which the error names', (field, filter) => {
    expect(() => checkFilter({ tenantId: TENANT, ...filter })).toThrow(
      expect.objectContaining({ code: 'InvalidArgument', details: expect.objectContaining({ field }) }),
    );
  });

  it('keeps each value once', () => {
    const checked = checkFilter({
      tenantId: TENANT,
      statuses: ['queued', 'running', 'queued'],
      ids: [TENANT, TENANT],
    });
    expect(checked).toMatchObject({ statuses: ['queued', 'running'], ids: [TENANT] });
  });
});

describe('a stream whose reads fail for good', () => {
  let database: TestDatabase;
  let stage: Stage;
  beforeAll(async () => {
    database = await createTestDatabase();
    stage = await openStage(database.url);
  });
  afterAll(async () => {
    await stage.close();
    await database.drop();
  });

  it('ends with the error instead of trying forever, and frees its place', async () => {
    const [jobId = ''] = await stage.insertJobs(1);
    const before = new Watcher(stage.feed.subscribe({ tenantId: stage.tenantId }));
    await before.ready();
    // The tail is read as the worker role, which still may: a failure of single subscribers, not an outage.
    await stage.superuser.query('revoke select on millrace.jobs from millrace_api');
    try {
      const failing = Array.from({ length: 50 }, () =>
        stage.feed.subscribe({ tenantId: stage.tenantId, correlationId: 'x' }),
      );
      for (const stream of failing) {
        await expect(stream.next()).rejects.toMatchObject({ code: '42501' });
        expect(await stream.next()).toEqual({ done: true, value: undefined });
      }
      const resumed = stage.feed.subscribe({ tenantId: stage.tenantId }, before.cursor);
      await expect(resumed.next()).rejects.toMatchObject({ code: '42501' });
      expect(stage.feed.memberCount).toBe(1);
      await stage.touch([jobId]);
      await before.until(({ versions }) => versions.get(jobId) === 2n, 'a change on the other stream');
    } finally {
      await stage.superuser.query('grant select on millrace.jobs to millrace_api');
    }
    const after = new Watcher(stage.feed.subscribe({ tenantId: stage.tenantId }));
    await after.ready();
    await Promise.all([before.stop(), after.stop()]);
    await waitFor(() => stage.feed.memberCount === 0, { describe: 'no member' });
  });
});
