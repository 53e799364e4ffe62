import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JobStatus } from '../../../src/core/job.ts';
import { VIDEO_STAGES } from '../../../src/domains/videos/pipeline/video.ts';
import { type StageJob, videoPipeline } from '../../../src/domains/videos/pipeline/video-pipeline.ts';

const START = new Date('2026-01-01T00:00:00Z');
const secondsIn = (seconds: number) => new Date(START.getTime() + seconds * 1000);

function job(id: string, definitionKey: string, status: JobStatus, rest: Partial<StageJob> = {}): StageJob {
  return {
    id,
    definitionKey,
    status,
    sourceRef: null,
    startedAt: status === 'queued' ? null : START,
    finishedAt: status === 'succeeded' ? secondsIn(10) : null,
    percent: null,
    etaSeconds: null,
    progressAt: null,
    ...rest,
  };
}

describe('videoPipeline', () => {
  test('reports what it is at, how far, and how long it needs', () => {
    const seen = videoPipeline(
      [
        job('1', 'transcode', 'succeeded'),
        job('2', 'sample', 'running', {
          sourceRef: '1',
          percent: 50,
          etaSeconds: 12,
          progressAt: secondsIn(18),
        }),
      ],
      secondsIn(20),
    );
    expect(seen.stage).toBe('sample');
    expect(seen.stages.map(({ status }) => status)).toEqual(['succeeded', 'running', 'waiting', 'waiting']);
    expect(seen.stages[1]).toMatchObject({ percent: 50, etaSeconds: 10 });
    expect(seen.percent).toBe(40);
    expect(seen.etaSeconds).toBe(30);
  });

  test('jobs that share a stage count together', () => {
    const chunks = (['succeeded', 'running', 'queued', 'queued'] as const).map((status, index) =>
      job(`3${index}`, 'ocr', status, { sourceRef: '2', ...(status === 'running' && { percent: 40 }) }),
    );
    const seen = videoPipeline(
      [
        job('1', 'transcode', 'succeeded'),
        job('2', 'sample', 'succeeded', { sourceRef: '1' }),
        ...chunks,
        job('4', 'segment_index', 'queued', { sourceRef: '2' }),
      ],
      secondsIn(35),
    );
    expect(seen.stages[2]).toMatchObject({
      status: 'running',
      percent: 35,
      jobIds: ['30', '31', '32', '33'],
    });
    expect(seen.stages[2]?.etaSeconds).toBe(65);
  });

  test('an earlier way through does not count', () => {
    const old = VIDEO_STAGES.map((stage, index) =>
      job(`0${index}`, stage, 'succeeded', { sourceRef: index === 0 ? null : `0${Math.min(index, 2) - 1}` }),
    );
    const seen = videoPipeline([...old, job('1', 'transcode', 'queued')], START);
    expect(seen.stages.map(({ status }) => status)).toEqual(['queued', 'waiting', 'waiting', 'waiting']);
    expect(seen.percent).toBe(0);
  });

  test('stages whose jobs have been deleted ended well', () => {
    const seen = videoPipeline(
      [
        job('3', 'ocr', 'succeeded', { sourceRef: '2' }),
        job('4', 'segment_index', 'succeeded', { sourceRef: '2' }),
      ],
      secondsIn(99),
    );
    expect(seen).toMatchObject({ percent: 100, stage: null, etaSeconds: null });
  });

  test('for any set of jobs: all stages in order, percents within 0 to 100, the whole never done before its last stage', () => {
    const anyJob = fc.record({
      id: fc.uuid({ version: 7 }),
      definitionKey: fc.constantFrom(...VIDEO_STAGES),
      status: fc.constantFrom<JobStatus>(
        'queued',
        'running',
        'succeeded',
        'failed',
        'canceled',
        'dead_letter',
      ),
      sourceRef: fc.option(fc.constantFrom('a', 'b')),
      startedAt: fc.option(fc.constant(START)),
      finishedAt: fc.option(fc.constant(secondsIn(5))),
      percent: fc.option(fc.float({ min: 0, max: 100, noNaN: true })),
      etaSeconds: fc.option(fc.float({ min: 0, max: 1000, noNaN: true })),
      progressAt: fc.option(fc.constant(secondsIn(3))),
    });
    fc.assert(
      fc.property(fc.array(anyJob, { maxLength: 12 }), (jobs) => {
        const seen = videoPipeline(jobs, secondsIn(60));
        expect(seen.stages.map(({ stage }) => stage)).toEqual([...VIDEO_STAGES]);
        for (const { percent } of [seen, ...seen.stages]) {
          if (percent === null) continue;
          expect(percent).toBeGreaterThanOrEqual(0);
          expect(percent).toBeLessThanOrEqual(100);
        }
        if (seen.percent === 100) expect(seen.stages.at(-1)?.percent).toBe(100);
      }),
    );
  });
});
