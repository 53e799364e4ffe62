import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the benchmark that speaks in messages. */
export interface Child<Order, News> {
  readonly pid: number;
  send(order: Order): void;
  /** Calls `hear` with everything it says. */
  listen(hear: (news: News) => void): void;
  /** The first message from now on that passes. @throws Error with its last words when it ends before */
  next<N extends News>(passes: (news: News) => news is N): Promise<N>;
  /** Closes the channel, which such a process takes as the end of its work. */
  disconnect(): void;
  /** Resolves when it has ended. */
  ended(): Promise<void>;
}

const REMEMBERED_CHARACTERS = 3000;

/** Starts a TypeScript file with an environment that holds nothing of ours but `env`. */
export function startChild<Order extends object, News>(
  path: string,
  env: Readonly<Record<string, string>>,
): Child<Order, News> {
  const child: ChildProcess = fork(path, {
    env: { PATH: process.env['PATH'] ?? '', MILLRACE_LOG_FORMAT: 'json', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-REMEMBERED_CHARACTERS);
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    send: (order) => void child.send(order),
    listen: (hear) => void child.on('message', hear),
    next: <N extends News>(passes: (news: News) => news is N) => {
      const { promise, resolve, reject } = Promise.withResolvers<N>();
      const hear = (news: News): void => {
        if (passes(news)) resolve(news);
      };
      const die = (): void => reject(new Error(`${path} ended:\n${said}`));
      child.on('message', hear).on('exit', die);
      if (hasEnded()) die();
      return promise.finally(() => child.off('message', hear).off('exit', die));
    },
    disconnect: () => child.disconnect(),
    ended: async () => {
      if (!hasEnded()) await once(child, 'exit');
    },
  };
}
