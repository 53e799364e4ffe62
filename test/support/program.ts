import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { compileCache } from './compile-cache.ts';
import { waitFor } from './wait.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A process of Millrace, started as a user starts it. */
export interface Program {
  readonly child: ChildProcess;
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** Waits for the ready line and returns its fields; without a token on it, that is empty. */
  ready(
    timeoutMs?: number,
  ): Promise<{ readonly url: string; readonly graphql: string; readonly token: string }>;
  /** Waits for its end and returns the exit code (null when a signal ended it). */
  ended(timeoutMs?: number): Promise<number | null>;
  /** Asks it to stop, as Ctrl-C does, and waits for its end. */
  interrupt(): Promise<number | null>;
  /** SIGKILL, no matter in what state. */
  kill(): Promise<void>;
}

/**
 * Starts `node <script>` from the repository's root with a nearly empty environment.
 * @param script e.g. `src/main.ts`
 */
export function startProgram(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      TMPDIR: tmpdir(),
      MILLRACE_LOG_FORMAT: 'json',
      ...compileCache(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const ended = async (timeoutMs = 300_000) => {
    await waitFor(hasEnded, {
      describe: () => `${script} to end; it said:\n${stderr.slice(-3000)}`,
      timeoutMs,
    });
    return child.exitCode;
  };
  return {
    child,
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    ready: async (timeoutMs = 300_000) => {
      const line = await waitFor(() => /^millrace ready .*$/m.exec(stdout)?.[0] ?? hasEnded(), {
        describe: () => `the ready line; it said:\n${stderr.slice(-3000)}`,
        timeoutMs,
      });
      const fields = typeof line === 'string' ? /url=(\S+) graphql=(\S+)(?: token=(\S+))?/.exec(line) : null;
      if (fields === null) throw new Error(`${script} ended before it was ready:\n${stderr.slice(-3000)}`);
      return { url: fields[1] as string, graphql: fields[2] as string, token: fields[3] ?? '' };
    },
    ended,
    interrupt: async () => {
      child.kill('SIGINT');
      return await ended();
    },
    kill: async () => {
      if (hasEnded()) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
