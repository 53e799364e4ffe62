import { fileURLToPath } from 'node:url';
import { startChild } from './child.ts';

const SCRIPT = fileURLToPath(new URL('../processes/raw-broadcast.ts', import.meta.url));

/** What the bare server receives. */
export type RawOrder = { readonly kind: 'broadcast'; readonly text: string } | { readonly kind: 'resident' };

/** What it says. */
export type RawNews =
  | { readonly kind: 'listening'; readonly url: string }
  /** Done with the loop, which began then by the machine's clock. */
  | { readonly kind: 'sent'; readonly startedMs: number }
  | { readonly kind: 'resident'; readonly bytes: number };

type NewsOf<Kind extends RawNews['kind']> = Extract<RawNews, { kind: Kind }>;

/** The process of a bare `ws` server. */
export interface RawBroadcast {
  readonly url: string;
  readonly pid: number;
  /** Sends a text to everybody. @returns when it began, by the machine's clock */
  broadcast(text: string): Promise<number>;
  /** Bytes of resident memory after a collection. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts it and waits until it listens. */
export async function startRawBroadcast(): Promise<RawBroadcast> {
  const child = startChild<RawOrder, RawNews>(SCRIPT, { NODE_OPTIONS: '--expose-gc' });
  const news = <Kind extends RawNews['kind']>(kind: Kind): Promise<NewsOf<Kind>> =>
    child.next((heard): heard is NewsOf<Kind> => heard.kind === kind);
  const { url } = await news('listening');
  return {
    url,
    pid: child.pid,
    broadcast: async (text) => {
      const sent = news('sent');
      child.send({ kind: 'broadcast', text });
      return (await sent).startedMs;
    },
    residentBytes: async () => {
      const resident = news('resident');
      child.send({ kind: 'resident' });
      return (await resident).bytes;
    },
    stop: async () => {
      child.disconnect();
      await child.ended();
    },
  };
}
