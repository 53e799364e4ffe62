import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from 'typebox';
import { PermanentError } from '../src/core/errors.ts';
import { done, snoozed } from '../src/core/outcome.ts';
import type { Handler } from '../workers/handler.ts';
import { job } from '../workers/registry.ts';
import { definitions, type payload } from './definitions.ts';
import { openRecord } from './record.ts';

// What MILLRACE_HANDLERS names in the worker processes of the suite: handlers that do as their payload says
// and note it.

const record = openRecord(process.env['CHAOS_RECORD'] ?? '');
const { pid } = process;
setInterval(() => record({ kind: 'memory', pid, rssMb: process.memoryUsage.rss() / 2 ** 20 }), 1_000).unref();

const handler: Handler<Static<typeof payload>> = async ({
  payload: given,
  jobId,
  runNo,
  attemptCount,
  signal,
}) => {
  const note = (kind: 'began' | 'done' | 'threw' | 'snoozed' | 'aborted'): void =>
    record({ kind, jobId, runNo, pid });
  note('began');
  try {
    await sleep(given.ms, undefined, given.deaf ? {} : { signal });
  } catch {
    note('aborted');
    throw signal.reason;
  }
  if (runNo <= given.snoozes) {
    note('snoozed');
    return snoozed(0.1, 'not yet');
  }
  if (given.permanent || attemptCount < given.fails) {
    note('threw');
    throw given.permanent ? new PermanentError('Planned', 'never works') : new Error('not this time');
  }
  note('done');
  return done({ runNo });
};

// biome-ignore lint/style/noDefaultExport: what a module of MILLRACE_HANDLERS exports
export default definitions.map((definition) => job(definition, handler));
