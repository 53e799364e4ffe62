import { fileURLToPath } from 'node:url';
import { startChild } from './child.ts';
import type { NoopCall, NoopNews, NoopOrder } from './noop.ts';

const SCRIPT = fileURLToPath(new URL('../processes/noop-worker.ts', import.meta.url));

/** A worker process that runs no-op jobs. */
export interface NoopWorker {
  readonly pid: number;
  /** Handlers called since the last `take`, as far as it has reported. */
  readonly count: number;
  /** Those calls; the count begins again. */
  take(): Promise<readonly NoopCall[]>;
  stop(): Promise<void>;
}

/** Starts one and waits until it is ready to claim. */
export async function startNoopWorker(
  env: Readonly<Record<string, string>>,
  concurrency: number,
): Promise<NoopWorker> {
  const child = startChild<NoopOrder, NoopNews>(SCRIPT, {
    ...env,
    MILLRACE_CONCURRENCY: String(concurrency),
  });
  let count = 0;
  child.listen((news) => {
    if (news.kind === 'count') count = news.count;
  });
  await child.next((news): news is NoopNews & { kind: 'ready' } => news.kind === 'ready');
  return {
    pid: child.pid,
    get count() {
      return count;
    },
    take: async () => {
      const answer = child.next((news): news is NoopNews & { kind: 'calls' } => news.kind === 'calls');
      child.send({ kind: 'take' });
      const { calls } = await answer;
      count = 0;
      return calls;
    },
    stop: async () => {
      child.send({ kind: 'stop' });
      await child.ended();
    },
  };
}
