import { type Message, Peer } from '../peer.ts';
import { fail, type Report } from '../report.ts';
import type { Target } from '../target.ts';

const FLOOD = 2_000;

/** The same over the socket, which must not be a way round what holds over HTTP. */
export async function checkHostileSocket(
  { socketUrl, headers, init, safeField: field }: Target,
  report: Report,
  serves: () => Promise<void>,
): Promise<void> {
  const ready = async (): Promise<Peer> => {
    const peer = await Peer.open(socketUrl, { headers });
    await peer.init(init);
    return peer;
  };
  const refused = async (query: string): Promise<void> => {
    const peer = await ready();
    peer.subscribe('1', query);
    const isAnswered = (): boolean => peer.closeCode !== null || peer.messages.some(({ id }) => id === '1');
    await peer.until(isAnswered, 'an answer');
    const answer = peer.messages.find(({ id }) => id === '1');
    peer.end();
    if (answer !== undefined && isServed(answer)) fail('it was served');
  };
  const aliases = Array.from({ length: 200 }, (_, n) => `a${n}: ${field}`).join(' ');
  await report.check('H60', 'MUST', 'the socket has the limit of aliases', () => refused(`{ ${aliases} }`));
  await report.check('H61', 'MUST', 'the socket has the limit of tokens', () =>
    refused(`{ ${`${field} `.repeat(5_000)} }`),
  );
  await report.check('H62', 'MUST', 'introspection is off over the socket too', () =>
    refused('{ __schema { queryType { name } } }'),
  );
  await report.check('H63', 'MUST', 'a subscription with two root fields is refused', () =>
    refused('subscription { a: __typename b: __typename }'),
  );
  await report.check('H64', 'SHOULD', 'a foreign origin with cookies does not get in', async () => {
    const peer = await Peer.open(socketUrl, {
      headers: { origin: 'http://evil.example', cookie: 'session=x' },
    });
    if (peer.status === 101) {
      peer.send({ type: 'connection_init' });
      await peer.until(() => peer.closeCode !== null || peer.messages.length > 0, 'an answer');
      if (peer.closeCode === null) fail('it was let in');
    }
    peer.end();
  });
  await report.check('H65', 'MUST', `${FLOOD} subscribes at once: limited or answered`, async () => {
    const peer = await ready();
    for (let n = 0; n < FLOOD; n++) peer.subscribe(`m${n}`, `{ ${field} }`);
    const isOver = ({ type }: Message): boolean => type === 'complete' || type === 'error';
    await peer.until(
      () => peer.closeCode !== null || peer.messages.filter(isOver).length >= FLOOD,
      'all to be answered',
      60_000,
    );
    peer.end();
    await serves();
  });
}

function isServed({ type, payload }: Message): boolean {
  if (type !== 'next') return false;
  const { data, errors } = payload as { data?: unknown; errors?: unknown };
  return Boolean(data) && errors === undefined;
}
