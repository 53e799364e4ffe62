import { setTimeout as delay } from 'node:timers/promises';
import type { Message, Peer } from '../peer.ts';
import { expectEqual, fail, type Report } from '../report.ts';
import type { Target } from '../target.ts';

const SOCKETS = 200;
const OPERATIONS = 500;

/** What the checks of the protocol have in common. */
interface StreamUrls {
  /** A socket that is acknowledged. */
  ready(): Promise<Peer>;
  /** Fails unless a query is answered, and ends the socket. */
  answers(peer: Peer): Promise<void>;
}

/** Subscriptions over the socket: in order, apart from each other, and ended by either side. */
export async function checkSocketStreams(
  { finite, endless, query }: Target,
  report: Report,
  { ready, answers }: StreamUrls,
): Promise<void> {
  /** Takes the rest of an operation; how many events came. */
  const drain = async (peer: Peer, id: string): Promise<number> => {
    let events = 0;
    for (;;) {
      const { type, payload } = await peer.nextOf(id);
      if (type === 'complete') return events;
      expectEqual(type, 'next', `type (payload ${JSON.stringify(payload)})`);
      events++;
    }
  };
  const begun = async (peer: Peer, id: string, document: string): Promise<void> => {
    peer.subscribe(id, document);
    await peer.until(() => peer.messages.some((message: Message) => message.id === id), `${id} to begin`);
  };

  await report.check(
    'W30',
    'MUST',
    'a subscription gives next messages in order, then complete',
    async () => {
      const { query: document, finish } = await finite();
      const peer = await ready();
      await begun(peer, 's', document);
      await finish();
      const events = await drain(peer, 's');
      if (events < 2) fail(`${events} events`);
      peer.end();
    },
  );
  await report.check('W31', 'MUST', 'two ids in one socket do not mix', async () => {
    const { query: document, finish } = await finite();
    const peer = await ready();
    await begun(peer, 'a', document);
    await begun(peer, 'b', document);
    await finish();
    expectEqual(await drain(peer, 'a'), await drain(peer, 'b'), 'events');
    peer.end();
  });
  await report.check('W32', 'MUST', 'an id can be used again after complete', async () => {
    const peer = await ready();
    for (let round = 0; round < 2; round++) {
      const { query: document, finish } = await finite();
      await begun(peer, 'x', document);
      await finish();
      await drain(peer, 'x');
    }
    peer.end();
  });
  await report.check('W40', 'MUST', 'a live id used twice closes with 4409', async () => {
    const peer = await ready();
    peer.subscribe('d', endless);
    peer.subscribe('d', endless);
    expectEqual(await peer.closed(), 4409, 'close code');
  });
  await report.check(
    'W41',
    'MUST',
    'complete from the client ends the stream, and none comes back',
    async () => {
      const peer = await ready();
      await begun(peer, 'c', endless);
      peer.send({ id: 'c', type: 'complete' });
      // Whatever was under way has been answered once this is.
      peer.subscribe('after', query);
      while ((await peer.nextOf('after')).type !== 'complete');
      peer.messages.length = 0;
      await delay(500);
      if (peer.messages.some(({ id }) => id === 'c'))
        fail(`after complete: ${JSON.stringify(peer.messages)}`);
      peer.subscribe('c', query);
      expectEqual((await peer.nextOf('c')).type, 'next', 'type');
      peer.end();
    },
  );
  await report.check(
    'W42',
    'SHOULD',
    `${SOCKETS} sockets that break leave the server answering`,
    async () => {
      const peers = await Promise.all(Array.from({ length: SOCKETS }, ready));
      for (const peer of peers) peer.subscribe('1', endless);
      await delay(200);
      for (const peer of peers) peer.socket.resetAndDestroy();
      await answers(await ready());
    },
  );
  await report.check(
    'W43',
    'SHOULD',
    `${OPERATIONS} short subscriptions leave a socket healthy`,
    async () => {
      const peer = await ready();
      for (let n = 0; n < OPERATIONS; n++) {
        peer.subscribe(`l${n}`, endless);
        peer.send({ id: `l${n}`, type: 'complete' });
      }
      await answers(peer);
    },
  );
}
