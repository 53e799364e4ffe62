import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A process of `bench/processes` that says something on stdout and ends with its stdin. */
export interface Piped {
  /** The first line that it said. */
  readonly first: string;
  readonly lines: Interface;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts one and waits for its first line. */
export async function startPiped(script: string, args: readonly string[]): Promise<Piped> {
  const path = fileURLToPath(new URL(`../processes/${script}.ts`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [first] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${script} ended before it said anything`))),
  ])) as [string];
  return {
    first,
    lines,
    pid: child.pid as number,
    stop: async () => {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}
