import { fileURLToPath } from 'node:url';
import type { Arrivals } from '../subload/crowd.ts';
import type { Target } from '../subload/subscriber.ts';
import { startChild } from './child.ts';

const SCRIPT = fileURLToPath(new URL('../processes/crowd.ts', import.meta.url));

interface Subscribing {
  readonly query: string;
  /** One after the other, from the first again when there are more subscribers. */
  readonly variables: readonly object[];
  readonly from: number;
  readonly to: number;
  /** Text in the message that counts as the beginning. */
  readonly until: string;
}

/** What the process receives. */
export type CrowdOrder =
  | { readonly kind: 'open'; readonly target: Target; readonly count: number; readonly atOnce: number }
  | ({ readonly kind: 'subscribe' } & Subscribing)
  | { readonly kind: 'expect'; readonly marker: string; readonly count: number }
  | { readonly kind: 'close' };

type Odd = readonly (readonly [what: string, times: number])[];

/** What it says. */
export type CrowdNews =
  | { readonly kind: 'up' }
  | { readonly kind: 'opened'; readonly tookMs: number; readonly odd: Odd }
  | { readonly kind: 'armed' }
  | ({ readonly kind: 'arrived'; readonly odd: Odd } & Arrivals)
  | { readonly kind: 'closed'; readonly odd: Odd };

type NewsOf<Kind extends CrowdNews['kind']> = Extract<CrowdNews, { kind: Kind }>;

/**
 * A process with thousands of subscribers. Each call fails when one of them lost its connection or got an
 * error.
 */
export interface CrowdProcess {
  /** Connects N clients. @returns how long it took */
  open(target: Target, count: number): Promise<number>;
  /** @returns how long it took from the first subscribe until the beginning had come to the last */
  subscribe(subscribing: Subscribing): Promise<number>;
  /** @returns a function that waits for the arrivals, once everybody is listening for them */
  expect(marker: string, count: number): Promise<() => Promise<Arrivals>>;
  close(): Promise<void>;
  stop(): Promise<void>;
}

/** Connections under way at once. */
const AT_ONCE = 200;

/** Starts one. */
export async function startCrowd(): Promise<CrowdProcess> {
  const child = startChild<CrowdOrder, CrowdNews>(SCRIPT, {});
  const news = <Kind extends CrowdNews['kind']>(kind: Kind): Promise<NewsOf<Kind>> =>
    child.next((heard): heard is NewsOf<Kind> => heard.kind === kind);
  await news('up');
  const arrived = async (): Promise<Arrivals> => {
    const { odd, ...arrivals } = await news('arrived');
    if (odd.length > 0) throw new Error(`Subscribers met what they should not: ${JSON.stringify(odd)}`);
    if (arrivals.missing > 0) throw new Error(`${arrivals.missing} subscribers got nothing`);
    return arrivals;
  };
  return {
    open: async (target, count) => {
      const opened = news('opened');
      child.send({ kind: 'open', target, count, atOnce: AT_ONCE });
      const { tookMs, odd } = await opened;
      if (odd.length > 0) throw new Error(`Not all could connect: ${JSON.stringify(odd)}`);
      return tookMs;
    },
    subscribe: async (subscribing) => {
      const arrivals = arrived();
      const askedMs = performance.now();
      child.send({ kind: 'subscribe', ...subscribing });
      await arrivals;
      return performance.now() - askedMs;
    },
    expect: async (marker, count) => {
      const armed = news('armed');
      const arrivals = arrived();
      // It is awaited later; a caller that never gets there has failed already.
      arrivals.catch(() => undefined);
      child.send({ kind: 'expect', marker, count });
      await armed;
      return () => arrivals;
    },
    close: async () => {
      const closed = news('closed');
      child.send({ kind: 'close' });
      await closed;
    },
    stop: async () => {
      child.disconnect();
      await child.ended();
    },
  };
}
