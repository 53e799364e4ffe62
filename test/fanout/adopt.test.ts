import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JobStatus } from '../../src/core/job.ts';
import type { FeedEvent, JobChange } from '../../src/events/change.ts';
import { checkFilter } from '../../src/events/filter.ts';
import { type JobTrace, jobList } from '../../src/events/job-list.ts';
import type { Position } from '../../src/events/position.ts';
import { StateReader } from '../../src/events/state-reader.ts';
import { SubscriptionOutput } from '../../src/events/subscription-output.ts';
import { openDatabase } from '../support/queue.ts';

const tenantId = randomUUID();
const filter = checkFilter({ tenantId, statuses: ['queued'] });
// Never connects: nothing here reads.
const states = new StateReader(openDatabase('postgres://nobody@127.0.0.1:1/none'));
const position: Position = {
  server: { systemId: '1', timeline: 1, life: '1.1' },
  snapshot: { xmin: 10n, xmax: 10n, xip: [] },
  takenAtMs: Date.now(),
};

function change(jobId: string, status: JobStatus, version: bigint): JobChange {
  return {
    kind: 'job',
    jobId,
    tenantId,
    definitionId: randomUUID(),
    status,
    version,
    subject: null,
    correlationId: null,
    createdBy: null,
    xid: 10n,
  };
}

/** A UUIDv7 of now. */
function newId(): string {
  const ms = Date.now().toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`;
}

function takeAll(output: SubscriptionOutput<JobTrace, FeedEvent>): string[] {
  const kinds: string[] = [];
  for (let event = output.take(() => position); event !== null; event = output.take(() => position))
    kinds.push(event.kind);
  return kinds;
}

test('a job that only newcomers were sent is reported as left, when they go on with those who never saw it', () => {
  const jobId = newId();
  const main = new SubscriptionOutput(jobList(filter, states), null);
  main.begin({ position, found: [], complete: true });
  takeAll(main);
  // It came and went before the main stream took it, and between the two a newcomer read the state.
  main.pending.put(change(jobId, 'queued', 1n));
  const newcomers = new SubscriptionOutput(jobList(filter, states), null);
  newcomers.begin({ position, found: [change(jobId, 'queued', 1n)], complete: true });
  expect(takeAll(newcomers)).toEqual(['job', 'ready']);
  main.adopt(newcomers);
  main.pending.put(change(jobId, 'running', 2n));
  expect(takeAll(main)).toContain('jobLeft');
});
