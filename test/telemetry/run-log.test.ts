import { Writable } from 'node:stream';
import pino from 'pino';
import { expect, test } from 'vitest';
import type { Finish } from '../../src/core/queue.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { logCompletion } from '../../workers/runtime/log-completion.ts';
import type { Run } from '../../workers/runtime/run.ts';

/** The lines about one run, at the level that processes have by default. */
function linesOf(
  subject: { type: string; id: string } | null,
  finish: Finish,
  wallMs: number,
): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const log = pino({ level: 'info' }, sink) as unknown as Logger;
  const job = { id: 'j-1', tenantId: 't-1', runNo: 2, subject };
  const run = { claimed: { job, definitionKey: 'transcode' } } as unknown as Run;
  logCompletion(run, finish, { startedAtMs: 0, wallMs, cpuMs: null }, { log });
  return lines;
}

const succeeded: Finish = {
  kind: 'final',
  settlement: { status: 'succeeded', skippedReason: null, result: null, artifacts: [] },
};

test('the success of a stage is logged at info, with its video and status', () => {
  expect(linesOf({ type: 'video', id: 'v-1' }, succeeded, 5)).toMatchObject([
    {
      level: 30,
      job_id: 'j-1',
      tenant_id: 't-1',
      definition_key: 'transcode',
      attempt_no: 2,
      video_id: 'v-1',
      status: 'succeeded',
      msg: 'run: succeeded',
    },
  ]);
});

test('so is that of any run that took its time, and what goes back to the queue', () => {
  expect(linesOf(null, succeeded, 250)).toMatchObject([{ level: 30, status: 'succeeded' }]);
  expect(linesOf(null, { kind: 'handBack' }, 1)).toMatchObject([{ level: 30, status: 'handBack' }]);
});

test('a success of a few milliseconds about nothing is no line: there are thousands a second', () => {
  expect(linesOf(null, succeeded, 5)).toEqual([]);
});
