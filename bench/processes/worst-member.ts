import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import WebSocket from 'ws';
import { type MemberNews, type MemberOrder, worstMemberOf } from '../stage/worst-member.ts';
import { worstRequests } from '../stage/worst-requests.ts';

// One member who sends the worst of everything on many connections, as fast as each is answered, and floods
// one socket beside them.

const { graphqlUrl, token, connections } = worstMemberOf(process.env);
const say = (news: MemberNews): void => void process.send?.(news);
const requests = worstRequests();
let isOver = false;
let counts: Record<string, number> = {};

function send(agent: Agent, json: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(graphqlUrl, {
    method: 'POST',
    agent,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': json.length,
    },
  });
  sent.on('error', reject);
  sent.on('response', (response) => text(response).then(() => resolve(response.statusCode ?? 0), reject));
  sent.end(json);
  return promise;
}

async function sendOn(first: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let n = first; !isOver; n++) {
    const { name, json } = requests[n % requests.length] as (typeof requests)[number];
    // A refusal before the body is read may end the connection: that is how the server protects itself.
    const status = await send(agent, json).catch(() => 'cut');
    const label = `${name}: ${status}`;
    counts[label] = (counts[label] ?? 0) + 1;
  }
  agent.destroy();
}

function floodSocket(): void {
  if (isOver) return;
  const socket = new WebSocket(graphqlUrl.replace(/^http/, 'ws'), 'graphql-transport-ws');
  let id = 0;
  const flood = (): void => {
    if (isOver || socket.readyState !== WebSocket.OPEN) return;
    // As fast as the server takes it in.
    for (let n = 0; n < 50 && socket.bufferedAmount < 1_000_000; n++)
      socket.send(
        `{"id":"${id++}","type":"subscribe","payload":{"query":"{ jobs(first: 50) { nodes { id status payload } } }"}}`,
      );
    setTimeout(flood, 5);
  };
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { token } })));
  socket.once('message', flood);
  socket.on('close', () => setTimeout(floodSocket, 50));
  socket.on('error', () => undefined);
  process.once('disconnect', () => socket.terminate());
}

process.on('message', (order: MemberOrder) => {
  if (order.kind === 'counts') {
    say({ kind: 'counts', counts });
    counts = {};
    return;
  }
  for (let n = 0; n < connections; n++) void sendOn(n);
  floodSocket();
});
process.once('disconnect', () => {
  isOver = true;
  setTimeout(() => process.exit(0), 500).unref();
});
say({ kind: 'ready' });
