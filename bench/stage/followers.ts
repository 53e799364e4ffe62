import { fileURLToPath } from 'node:url';
import type { FollowersReport, Truth } from '../subload/followers.ts';
import type { Target } from '../subload/subscriber.ts';
import { startChild } from './child.ts';

const SCRIPT = fileURLToPath(new URL('../processes/followers.ts', import.meta.url));

/** What the process receives. */
export type FollowersOrder =
  | {
      readonly kind: 'open';
      readonly target: Target;
      readonly count: number;
      readonly keys: readonly string[];
    }
  | { readonly kind: 'cut'; readonly share: number }
  | { readonly kind: 'converge'; readonly truth: Truth; readonly waitMs: number };

/** What it says. */
export type FollowersNews =
  | { readonly kind: 'up' | 'opened' }
  | { readonly kind: 'report'; readonly report: FollowersReport };

/** A process of followers. */
export interface FollowersProcess {
  open(target: Target, count: number, keys: readonly string[]): Promise<void>;
  cut(share: number): void;
  converge(truth: Truth, waitMs: number): Promise<FollowersReport>;
  stop(): Promise<void>;
}

/** Starts one. */
export async function startFollowers(): Promise<FollowersProcess> {
  const child = startChild<FollowersOrder, FollowersNews>(SCRIPT, {});
  const news = <Kind extends FollowersNews['kind']>(kind: Kind) =>
    child.next((heard): heard is Extract<FollowersNews, { kind: Kind }> => heard.kind === kind);
  await news('up');
  return {
    open: async (target, count, keys) => {
      const opened = child.next((heard): heard is FollowersNews => heard.kind === 'opened');
      child.send({ kind: 'open', target, count, keys });
      await opened;
    },
    cut: (share) => child.send({ kind: 'cut', share }),
    converge: async (truth, waitMs) => {
      const said = news('report');
      child.send({ kind: 'converge', truth, waitMs });
      return (await said).report;
    },
    stop: async () => {
      child.disconnect();
      await child.ended();
    },
  };
}
