import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import type { Program } from '../../test/support/program.ts';
import { waitFor } from '../../test/support/wait.ts';
import { residentMegabytesOf } from '../measuring/cpu.ts';

/** Environment of a process that is to be looked into: any free port, once it is asked. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=0' } as const;

const MAX_COLLECTIONS = 10;
const SETTLE_MS = 500;
/** A collection that frees less than this has nothing more to free. */
const SETTLED_SHARE = 0.01;

/** What a process holds, once what it no longer needs is gone. */
export interface HeldMemory {
  readonly residentBytes: number;
  /** Objects and buffers alone: without what V8 and the allocator keep for later. */
  readonly usedBytes: number;
}

/**
 * Looks into a running Node process from outside; it runs as it is shipped, and is only asked to collect its
 * garbage.
 */
export class Inspected {
  readonly #program: Program;
  readonly #socket: WebSocket;
  #count = 0;

  private constructor(program: Program, socket: WebSocket) {
    this.#program = program;
    this.#socket = socket;
  }

  /** Opens the process's inspector, which costs it nothing while nobody asks. */
  static async open(program: Program): Promise<Inspected> {
    program.child.kill('SIGUSR1');
    const said = await waitFor(() => /Debugger listening on (ws:\S+)/.exec(program.stderr()), {
      describe: 'the inspector to listen',
    });
    const socket = new WebSocket(said[1] as string);
    await once(socket, 'open');
    return new Inspected(program, socket);
  }

  async heldMemory(): Promise<HeldMemory> {
    // Until no more comes of it: V8 gives its pages back some time after what was on them.
    let residentBytes = Number.POSITIVE_INFINITY;
    for (let round = 0; round < MAX_COLLECTIONS; round++) {
      await this.#call('HeapProfiler.collectGarbage', {});
      await delay(SETTLE_MS);
      const now = await this.#residentBytes();
      const gain = 1 - now / residentBytes;
      residentBytes = now;
      if (gain < SETTLED_SHARE) break;
    }
    const { result } = (await this.#call('Runtime.evaluate', {
      expression: '(({heapUsed, external}) => heapUsed + external)(process.memoryUsage())',
      returnByValue: true,
    })) as { result: { value: number } };
    return { residentBytes, usedBytes: result.value };
  }

  async #residentBytes(): Promise<number> {
    const megabytes = await residentMegabytesOf(this.#program.pid);
    if (megabytes === null)
      throw new Error('Resident memory is read from /proc, which this system does not have');
    return megabytes * 1e6;
  }

  close(): void {
    this.#socket.close();
  }

  async #call(method: string, params: object): Promise<unknown> {
    const id = ++this.#count;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const hear = (data: WebSocket.RawData): void => {
      const message = JSON.parse(String(data)) as { id?: number; result?: unknown };
      if (message.id === id) resolve(message.result);
    };
    this.#socket.on('message', hear);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return promise.finally(() => this.#socket.off('message', hear));
  }
}
