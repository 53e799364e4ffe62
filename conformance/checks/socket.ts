import { setTimeout as delay } from 'node:timers/promises';
import { frame, OPCODE } from '../frames.ts';
import { Peer, type PeerOptions } from '../peer.ts';
import { expectEqual, fail, type Report } from '../report.ts';
import type { Target } from '../target.ts';
import { checkSocketStreams } from './socket-streams.ts';

/** After this long without it, something that must not come has not come. */
const SILENCE_MS = 300;

/** The graphql-transport-ws protocol, and the corners of RFC 6455 that a GraphQL server meets. */
export async function checkSocket(target: Target, report: Report): Promise<void> {
  const { query } = target;
  const must = (id: string, what: string, look: () => Promise<unknown>): Promise<void> =>
    report.check(id, 'MUST', what, look);
  const open = (options: PeerOptions = {}): Promise<Peer> =>
    Peer.open(target.socketUrl, { headers: target.headers, ...options });
  const ready = async (): Promise<Peer> => {
    const peer = await open();
    await peer.init(target.init);
    return peer;
  };
  const closes = async (peer: Peer, allowed: readonly number[], waitMs?: number): Promise<void> => {
    const code = await peer.closed(waitMs);
    if (!allowed.includes(code)) fail(`closed with ${code}, not ${allowed.join(' or ')}`);
  };
  const answers = async (peer: Peer): Promise<void> => {
    peer.subscribe('last', query);
    expectEqual((await peer.nextOf('last')).type, 'next', 'type');
    peer.end();
  };

  await must('W01', 'selects the graphql-transport-ws subprotocol', async () => {
    const peer = await open();
    expectEqual(peer.status, 101, 'status');
    expectEqual(peer.protocol, 'graphql-transport-ws', 'subprotocol');
    peer.end();
  });
  await must('W02', 'a client without a subprotocol is refused (HTTP 4xx, or close 4406)', async () => {
    const code = await (await open({ protocol: null })).closed();
    if (code !== 4406 && (code < 400 || code > 499)) fail(`closed with ${code}`);
  });
  await must('W03', 'the old graphql-ws subprotocol alone is refused', async () => {
    const code = await (await open({ protocol: 'graphql-ws' })).closed();
    if (code !== 4406 && code !== 1006 && (code < 400 || code > 499)) fail(`closed with ${code}`);
  });
  await must('W04', 'connection_init is answered with connection_ack', async () => (await ready()).end());
  await must('W05', 'a second connection_init closes with 4429', async () => {
    const peer = await ready();
    peer.send({ type: 'connection_init', payload: target.init });
    await closes(peer, [4429]);
  });
  await must('W06', 'subscribe before connection_init closes with 4401', async () => {
    const peer = await open();
    peer.subscribe('1', query);
    await closes(peer, [4401]);
  });
  await must('W07', 'no connection_init in time closes with 4408', async () =>
    closes(await open(), [4408], target.initTimeoutMs + 15_000),
  );
  const malformed = [
    ['W08', 'a message that is not JSON', '{nope'],
    ['W09', 'an unknown message type', { type: 'start', id: '1', payload: { query } }],
    ['W10', 'subscribe without id', { type: 'subscribe', payload: { query } }],
    ['W11', 'subscribe with an empty id', { type: 'subscribe', id: '', payload: { query } }],
  ] as const;
  for (const [id, what, message] of malformed) {
    await must(id, `${what} closes with 4400`, async () => {
      const peer = await ready();
      peer.send(message);
      await closes(peer, [4400]);
    });
  }
  await must('W12', 'variables that are no object close with 4400 or answer error', async () => {
    const peer = await ready();
    peer.subscribe('1', query, { variables: 'x' });
    const isRefused = (): boolean =>
      peer.closeCode === 4400 || peer.messages.some(({ type }) => type === 'error');
    await peer.until(isRefused, 'a refusal');
    peer.end();
  });
  await must('W13', 'a query gives one next, then complete', async () => {
    const peer = await ready();
    peer.subscribe('1', query);
    const { type, payload } = await peer.nextOf('1');
    expectEqual(type, 'next', 'type');
    if ((payload as { errors?: unknown }).errors !== undefined) fail(JSON.stringify(payload));
    expectEqual((await peer.nextOf('1')).type, 'complete', 'type');
    peer.end();
  });
  await must('W14', 'a syntax error answers error with a list, and nothing after it', async () => {
    const peer = await ready();
    peer.subscribe('1', '{');
    const { type, payload } = await peer.nextOf('1');
    expectEqual(type, 'error', 'type');
    if (!Array.isArray(payload)) fail('its payload is no list');
    await delay(SILENCE_MS);
    if (peer.messages.some(({ id }) => id === '1')) fail('a message came after the error');
    peer.end();
  });
  await must('W15', 'a validation error answers error, and the socket stays open', async () => {
    const peer = await ready();
    peer.subscribe('1', '{ noSuchFieldEver }');
    expectEqual((await peer.nextOf('1')).type, 'error', 'type');
    await answers(peer);
  });
  await must('W16', 'ping is answered with pong, also before connection_init', async () => {
    const peer = await open();
    peer.send({ type: 'ping', payload: { a: 1 } });
    await peer.next(({ type }) => type === 'pong', 'pong');
    peer.end();
  });
  await must('W17', 'an unasked pong is ignored', async () => {
    const peer = await ready();
    peer.send({ type: 'pong' });
    await answers(peer);
  });
  await must('W18', 'complete for an unknown id is ignored', async () => {
    const peer = await ready();
    peer.send({ id: 'nope', type: 'complete' });
    await answers(peer);
  });
  await must('W19', 'a ping frame is answered with a pong frame', async () => {
    const peer = await ready();
    peer.raw(frame(OPCODE.ping, 'hi'));
    await peer.next(({ type }) => type === '#pong', 'a pong frame');
    peer.end();
  });
  await must('W20', 'a fragmented text message is put together', async () => {
    const peer = await ready();
    const text = JSON.stringify({ id: '1', type: 'subscribe', payload: { query } });
    peer.raw(frame(OPCODE.text, text.slice(0, 9), { isFinal: false }));
    peer.raw(frame(OPCODE.continuation, text.slice(9, 20), { isFinal: false }));
    peer.raw(frame(OPCODE.continuation, text.slice(20)));
    expectEqual((await peer.nextOf('1')).type, 'next', 'type');
    peer.end();
  });
  await must('W21', 'an unmasked client frame ends the connection (1002)', async () => {
    const peer = await ready();
    peer.raw(frame(OPCODE.text, '{"type":"ping"}', { isMasked: false }));
    await closes(peer, [1002, 1006]);
  });
  await must('W22', 'text that is not UTF-8 ends the connection (1007)', async () => {
    const peer = await ready();
    peer.raw(frame(OPCODE.text, Buffer.from([0xc3, 0x28])));
    await closes(peer, [1007, 1006, 4400]);
  });
  await report.check('W23', 'SHOULD', 'a binary frame does not harm the server', async () => {
    const peer = await ready();
    peer.raw(frame(OPCODE.binary, Buffer.from([1, 2, 3])));
    await peer.closed(1_500).catch(() => undefined);
    await answers(await ready());
    peer.end();
  });
  await must('W24', 'a message past the limit closes with 1009', async () => {
    const peer = await ready();
    peer.subscribe('1', `{ __typename #${'x'.repeat(target.maxMessageBytes)}\n}`);
    await closes(peer, [1009, 1006]);
  });
  await must('W25', 'a refused connection_init closes with 4403 or 4401', async () => {
    const peer = await open();
    peer.send({ type: 'connection_init', payload: target.badInit });
    await closes(peer, [4403, 4401]);
  });
  await checkSocketStreams(target, report, { ready, answers });
}
