import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../processes/bare-yoga.ts', import.meta.url));

/** The bare server's process. */
export interface BareYoga {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts it and waits until it listens. Its table is that of `openBareWriters`. */
export async function startBareYoga(
  databaseUrl: string,
  tenantId: string,
  definitionId: string,
): Promise<BareYoga> {
  const child = spawn(process.execPath, [SCRIPT, databaseUrl, tenantId, definitionId], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [url] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('The bare server ended before it listened'))),
  ])) as [string];
  return {
    url,
    pid: child.pid as number,
    stop: async () => {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}
