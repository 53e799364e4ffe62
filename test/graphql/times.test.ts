import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRfc3339 } from '../../src/graphql/rfc-3339.ts';
import { startTestApi, type TestApi } from '../support/api.ts';

const two = (value: number) => String(value).padStart(2, '0');

describe('RFC 3339 text', () => {
  it('is the time it names, in any zone', () => {
    const times = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(times, (time) => {
        expect(parseRfc3339(time.toISOString())).toEqual(time);
      }),
    );
    expect(parseRfc3339('2026-03-01T01:30:00.5+02:00')).toEqual(new Date('2026-02-28T23:30:00.500Z'));
    expect(parseRfc3339('2026-03-01 01:30:00z')).toEqual(new Date('2026-03-01T01:30:00Z'));
  });

  it('names a day of the calendar and an hour of the clock, or nothing: no day rolls over', () => {
    const any = fc.tuple(
      fc.integer({ min: 1900, max: 2100 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      fc.integer({ min: 0, max: 25 }),
      fc.integer({ min: 0, max: 61 }),
    );
    fc.assert(
      fc.property(any, ([year, month, day, hour, minute]) => {
        const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
        const isTime = month >= 1 && month <= 12 && day >= 1 && day <= lastDay && hour <= 23 && minute <= 59;
        const text = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:00Z`;
        expect(parseRfc3339(text)?.toISOString() ?? null).toBe(isTime ? text.replace('Z', '.000Z') : null);
      }),
      { numRuns: 1_000 },
    );
    for (const text of ['2026-02-30T00:00:00Z', '2026-01-01T00:00:60Z', '2026-01-01T00:00:00+24:00', 'now'])
      expect(parseRfc3339(text)).toBeNull();
  });
});

describe('a DateTime', () => {
  let api: TestApi;
  let token: string;
  beforeAll(async () => {
    api = await startTestApi();
    token = await api.token(await api.makeTenant(), 'member');
  });
  afterAll(() => api.close());

  const ENQUEUE = `mutation ($at: DateTime) { enqueueJob(input: { definition: "echo", payload: { message: "x" }, scheduledFor: $at }) {
    ... on DomainFailure { message field } ... on EnqueueJobPayload { job { requestedFor } } } }`;

  it('that no calendar has is refused', async () => {
    const answer = await api.query(token, ENQUEUE, { at: '2026-02-30T00:00:00Z' });
    expect(answer.errors[0]?.message).toMatch(/DateTime is "2026-02-30T00:00:00Z"; allowed: RFC 3339/);
  });

  it.each(['2300-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'])(
    'that no clock means is named in the same form: %s',
    async (at) => {
      const { data } = await api.query(token, ENQUEUE, { at });
      expect(data.enqueueJob.message).toContain(`scheduledFor is ${at}; allowed: a time from 1970`);
      expect(data.enqueueJob.field).toBe('input.scheduledFor');
    },
  );

  it('that is long past is taken, and kept as it was asked for', async () => {
    const { data } = await api.query(token, ENQUEUE, { at: '1970-01-01T00:00:00Z' });
    expect(data.enqueueJob.job.requestedFor).toBe('1970-01-01T00:00:00.000Z');
  });
});
