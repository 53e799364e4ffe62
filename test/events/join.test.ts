import { expect, test } from 'vitest';
import type { FeedEvent, JobChange } from '../../src/events/change.ts';
import type { FeedSubscriber, SubscriptionHost } from '../../src/events/feed-subscriber.ts';
import { checkFilter } from '../../src/events/filter.ts';
import type { JobTrace } from '../../src/events/job-list.ts';
import { JobSubscription } from '../../src/events/job-subscription.ts';
import type { InitialState, Missed } from '../../src/events/list-kind.ts';
import type { Position } from '../../src/events/position.ts';
import { Semaphore } from '../../src/events/semaphore.ts';
import { parseSnapshot } from '../../src/events/snapshot.ts';
import { StateReader } from '../../src/events/state-reader.ts';
import { openDatabase } from '../support/queue.ts';

// The races of joining, played move by move: which of two reads was taken first and which arrives first.

const tenantId = '01900000-0000-7000-8000-000000000001';
const jobId = '01900000-0000-7000-8000-000000000002';

function at(snapshot: string): Position {
  return {
    server: { systemId: '1', timeline: 1, life: '1.1' },
    snapshot: parseSnapshot(snapshot),
    takenAtMs: 0,
  };
}

function change(version: bigint, xid: bigint, id = jobId): JobChange {
  return {
    kind: 'job',
    jobId: id,
    tenantId,
    definitionId: tenantId,
    status: 'queued',
    version,
    subject: null,
    correlationId: null,
    createdBy: null,
    xid,
  };
}

/** Answers each read when the test says so. */
class SlowReader extends StateReader {
  readonly initialAnswer = Promise.withResolvers<InitialState<JobChange>>();
  readonly missedAnswer = Promise.withResolvers<Missed<JobTrace>>();

  override initial(): Promise<InitialState<JobChange>> {
    return this.initialAnswer.promise;
  }

  override missed(): Promise<Missed<JobTrace>> {
    return this.missedAnswer.promise;
  }
}

class Table implements SubscriptionHost {
  // Never connects: nothing here runs a statement.
  readonly states = new SlowReader(openDatabase('postgres://nobody@127.0.0.1:1/none'));
  readonly reads = new Semaphore(1);
  readonly heardAtMs = 0;
  position = at('10:10:');
  readonly #attached = Promise.withResolvers<FeedSubscriber>();

  join(): void {}
  leave(): void {}
  detach(): void {}
  readFailed(): void {}
  readSucceeded(): void {}

  async attach(member: FeedSubscriber): Promise<void> {
    this.#attached.resolve(member);
  }

  /** The tail brings a whole range. */
  async tail(changes: readonly JobChange[], upTo: Position): Promise<void> {
    const member = await this.#attached.promise;
    const touched = changes.map((one) => member.accept(one, this.position));
    this.position = upTo;
    if (touched.includes(true)) member.rangeEnded();
  }
}

function subscribe(host: Table, after: Position | null): JobSubscription {
  return new JobSubscription({
    host,
    filter: checkFilter({ tenantId }),
    after: after === null ? null : { position: after, page: null },
    maxPending: 10,
    pageSize: 10,
  });
}

async function take(stream: JobSubscription, count: number): Promise<string[]> {
  const seen: string[] = [];
  for (let i = 0; i < count; i++) {
    const { value } = await stream.next();
    seen.push(shown(value));
  }
  return seen;
}

function shown(event: FeedEvent | undefined): string {
  return event?.kind === 'job' ? `v${event.change.version}` : (event?.kind ?? 'end');
}

test('an older look of the tail that arrives after a newer state is not delivered', async () => {
  const host = new Table();
  const stream = subscribe(host, null);
  const first = take(stream, 2);
  host.states.initialAnswer.resolve({ position: at('30:30:'), found: [change(5n, 25n)], complete: true });
  expect(await first).toEqual(['v5', 'ready']);
  await host.tail([change(4n, 15n)], at('20:20:'));
  const next = take(stream, 1);
  await host.tail([change(5n, 25n), change(6n, 35n)], at('40:40:'));
  expect(await next).toEqual(['v6']);
});

test('an older look of the tail that arrives during the read is dropped, a newer one follows the state', async () => {
  const host = new Table();
  const stream = subscribe(host, null);
  const events = take(stream, 3);
  await host.tail([change(4n, 15n)], at('20:20:'));
  await host.tail([change(6n, 35n)], at('40:40:'));
  host.states.initialAnswer.resolve({ position: at('30:30:'), found: [change(5n, 25n)], complete: true });
  expect(await events).toEqual(['v5', 'ready', 'v6']);
});

test('of a missed change and a newer one that the tail brought meanwhile only the newer is delivered', async () => {
  const host = new Table();
  const stream = subscribe(host, at('5:5:'));
  const events = take(stream, 2);
  await host.tail([change(6n, 35n)], at('40:40:'));
  host.states.missedAnswer.resolve({
    kind: 'page',
    changes: [change(5n, 25n)],
    upTo: at('30:30:'),
    next: null,
  });
  expect(await events).toEqual(['v6', 'checkpoint']);
});

test('a transaction that was open in the state is delivered by the tail when it commits', async () => {
  const host = new Table();
  const stream = subscribe(host, null);
  const first = take(stream, 1);
  host.states.initialAnswer.resolve({ position: at('12:30:12'), found: [], complete: true });
  expect(await first).toEqual(['ready']);
  const next = take(stream, 1);
  await host.tail([change(2n, 12n)], at('40:40:'));
  expect(await next).toEqual(['v2']);
});
