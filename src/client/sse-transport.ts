import { MillraceError } from './error.ts';
import type { ClientSettings } from './options.ts';
import { followStream, type Member } from './sse-stream.ts';
import type { Tokens } from './token.ts';
import type { Transport } from './transport.ts';

/** Subscriptions that begin within this time share a request. */
const GATHER_MS = 5;
/** After the last of several leaves, what is still followed moves to a stream without them. */
const TIDY_MS = 1_000;

/** One request that carries some of the subscriptions. */
interface Stream {
  readonly members: Set<Member>;
  readonly leaving: AbortController;
  readonly size: number;
}

/**
 * All subscriptions over at most two requests, whose answers do not end: a browser opens six connections to a
 * host over HTTP/1.1, and calls need some. What is asked later goes over the second one; what is asked after
 * that makes those of the smaller one go on over a new one together with it, each from its cursor. The server
 * keeps nothing for a client between requests, so any replica can answer.
 */
export function createSseTransport(settings: ClientSettings, tokens: Tokens): Transport {
  const streams = new Set<Stream>();
  const gathered = new Set<Member>();
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let tidying: ReturnType<typeof setTimeout> | undefined;

  const open = (members: ReadonlySet<Member>): void => {
    if (members.size === 0) return;
    const stream: Stream = {
      members: new Set(members),
      leaving: new AbortController(),
      size: members.size,
    };
    streams.add(stream);
    void followStream(settings, tokens, stream.members, stream.leaving.signal).then((why) => {
      // Code that left it, or moved it, has said so to its members.
      if (!streams.delete(stream)) return;
      for (const { sink } of stream.members) sink.ended(why);
    });
  };
  const leave = (stream: Stream): void => {
    streams.delete(stream);
    stream.leaving.abort();
  };
  /** Lets the members of these streams go on over a new one, with what was gathered. */
  const move = (left: readonly Stream[]): void => {
    const members = new Set([...left.flatMap((stream) => [...stream.members]), ...gathered]);
    gathered.clear();
    for (const stream of left) leave(stream);
    open(members);
  };
  const send = (): void => {
    gathering = undefined;
    const [smaller, larger] = [...streams].sort((a, b) => a.members.size - b.members.size);
    if (smaller === undefined || larger === undefined) move([]);
    // Both only when they are about as large: a page that asks for one after another does not make all begin
    // again each time.
    else move(smaller.members.size + gathered.size < larger.members.size ? [smaller] : [smaller, larger]);
  };
  const tidy = (): void => {
    tidying = undefined;
    move([...streams].filter(({ members, size }) => members.size < size / 2));
  };

  return {
    subscribe: (request, sink) => {
      const member: Member = { request, sink };
      gathered.add(member);
      gathering ??= setTimeout(send, GATHER_MS);
      return () => {
        gathered.delete(member);
        for (const stream of streams) {
          if (!stream.members.delete(member)) continue;
          if (stream.members.size === 0) leave(stream);
          else tidying ??= setTimeout(tidy, TIDY_MS);
        }
      };
    },
    close: () => {
      clearTimeout(gathering);
      clearTimeout(tidying);
      for (const stream of [...streams]) leave(stream);
      for (const { sink } of gathered) sink.ended(new MillraceError('CLOSED', 'The client was closed'));
      gathered.clear();
    },
  };
}
