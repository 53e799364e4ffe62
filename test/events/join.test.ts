import { expect, test } from 'vitest';
import type { FeedEvent, JobChange } from '../../src/events/change.ts';
import { checkFilter } from '../../src/events/filter.ts';
import { Gate } from '../../src/events/gate.ts';
import type { JobTrace } from '../../src/events/job-list.ts';
import { JobSubscription } from '../../src/events/job-subscription.ts';
import type { InitialState, Missed } from '../../src/events/list-kind.ts';
import type { Home, Member } from '../../src/events/member.ts';
import type { Position } from '../../src/events/position.ts';
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

class Table implements Home {
  // Never connects: nothing here runs a statement.
  readonly states = new SlowReader(openDatabase('postgres://nobody@127.0.0.1:1/none'));
  readonly reads = new Gate(1);
  readonly heardAtMs = 0;
  position = at('10:10:');
  readonly #attached = Promise.withResolvers<Member>();

  join(): void {}
  leave(): void {}
  detach(): void {}
  readFailed(): void {}
  readSucceeded(): void {}

  async attach(member: Member): Promise<void> {
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

function subscribe(home: Table, after: Position | null): JobSubscription {
  return new JobSubscription({
    home,
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
  const home = new Table();
  const stream = subscribe(home, null);
  const first = take(stream, 2);
  home.states.initialAnswer.resolve({ position: at('30:30:'), found: [change(5n, 25n)], complete: true });
  expect(await first).toEqual(['v5', 'ready']);
  await home.tail([change(4n, 15n)], at('20:20:'));
  const next = take(stream, 1);
  await home.tail([change(5n, 25n), change(6n, 35n)], at('40:40:'));
  expect(await next).toEqual(['v6']);
});

test('an older look of the tail that arrives during the read is dropped, a newer one follows the state', async () => {
  const home = new Table();
  const stream = subscribe(home, null);
  const events = take(stream, 3);
  await home.tail([change(4n, 15n)], at('20:20:'));
  await home.tail([change(6n, 35n)], at('40:40:'));
  home.states.initialAnswer.resolve({ position: at('30:30:'), found: [change(5n, 25n)], complete: true });
  expect(await events).toEqual(['v5', 'ready', 'v6']);
});

test('of a missed change and a newer one that the tail brought meanwhile only the newer is delivered', async () => {
  const home = new Table();
  const stream = subscribe(home, at('5:5:'));
  const events = take(stream, 2);
  await home.tail([change(6n, 35n)], at('40:40:'));
  home.states.missedAnswer.resolve({
    kind: 'page',
    changes: [change(5n, 25n)],
    upTo: at('30:30:'),
    next: null,
  });
  expect(await events).toEqual(['v6', 'checkpoint']);
});

test('a transaction that was open in the state is delivered by the tail when it commits', async () => {
  const home = new Table();
  const stream = subscribe(home, null);
  const first = take(stream, 1);
  home.states.initialAnswer.resolve({ position: at('12:30:12'), found: [], complete: true });
  expect(await first).toEqual(['ready']);
  const next = take(stream, 1);
  await home.tail([change(2n, 12n)], at('40:40:'));
  expect(await next).toEqual(['v2']);
});
