import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../core/errors.ts';
import { FairQueue } from '../core/fair-queue.ts';
import type { CheckAnswer, CheckOrder, ThreadReady, ThreadSetup } from './payload-thread-messages.ts';
import { limitThreadTime } from './thread-time-limit.ts';

/** Two, so that a tenant whose payload takes long leaves one to the others. */
const MAX_THREADS = 2;
/**
 * Of the processor, several times what the largest payload takes; patterns that backtrack and `uniqueItems`
 * know no end.
 */
const TIMEOUT_MS = 5_000;
/** Loading the thread takes a second where the machine is busy, and is not the payload's fault. */
const START_TIMEOUT_MS = 60_000;

interface Task {
  readonly owner: string;
  readonly order: CheckOrder;
  readonly resolve: (json: string) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  isReady: boolean;
  task: Task | null;
  /** Ends what watches its time. */
  stopTimer: () => void;
}

export interface PayloadThreadsOptions {
  readonly maxPayloadBytes: number;
  /** How long one check may take of the processor; 5,000 by default. */
  readonly timeoutMs?: number;
}

/**
 * Checks payloads in threads of their own, started when the first one comes. Tenants take turns, and each has
 * one thread at most while others could use the second.
 */
export class PayloadThreads {
  readonly #setup: ThreadSetup;
  readonly #timeoutMs: number;
  readonly #threads = new Set<Thread>();
  readonly #waiting = new FairQueue<Task>();
  #isClosed = false;

  constructor({ maxPayloadBytes, timeoutMs = TIMEOUT_MS }: PayloadThreadsOptions) {
    this.#setup = { maxPayloadBytes };
    this.#timeoutMs = timeoutMs;
  }

  /**
   * @param owner the tenant
   * @returns the payload as JSON text, the schema's defaults filled in
   * @throws DomainError `InvalidPayload` `PayloadTooLarge`
   */
  check(owner: string, order: CheckOrder): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(owner, { owner, order, resolve, reject });
      this.#assign();
    });
  }

  /** Ends the threads; what waits or is being checked fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new Error('The server stops');
    for (const task of this.#waiting.takeAll()) task.reject(closed);
    await Promise.all([...this.#threads].map((thread) => this.#drop(thread, closed)));
  }

  #assign(): void {
    if (this.#isClosed) return;
    const busy = new Set([...this.#threads].flatMap(({ task }) => task?.owner ?? []));
    const idle = [...this.#threads].find(({ task }) => task === null);
    if (idle === undefined && this.#threads.size >= MAX_THREADS) return;
    const task = this.#waiting.take((owner) => !busy.has(owner));
    if (task === undefined) return;
    const thread = idle ?? this.#start();
    thread.task = task;
    thread.worker.ref();
    this.#time(thread);
    thread.worker.postMessage(task.order);
    this.#assign();
  }

  /** The time of a check begins when its thread is there. */
  #time(thread: Thread): void {
    thread.stopTimer();
    if (thread.isReady) {
      const drop = (): void => void this.#drop(thread, tookTooLong(this.#timeoutMs));
      thread.stopTimer = limitThreadTime(thread.worker, this.#timeoutMs, drop);
      return;
    }
    const why = new Error(`A thread to check payloads did not start within ${START_TIMEOUT_MS} ms`);
    const timer = setTimeout(() => void this.#drop(thread, why), START_TIMEOUT_MS);
    thread.stopTimer = () => clearTimeout(timer);
  }

  #start(): Thread {
    // `.js` in the package: the compiler rewrites imports, not URLs.
    const file = `./payload-thread${extname(import.meta.filename)}`;
    const worker = new Worker(new URL(file, import.meta.url), {
      workerData: this.#setup,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const thread: Thread = { worker, isReady: false, task: null, stopTimer: () => undefined };
    worker.on('message', (news: ThreadReady | CheckAnswer) => {
      if (news !== 'ready') return this.#answered(thread, news);
      thread.isReady = true;
      if (thread.task !== null) this.#time(thread);
    });
    worker.on('error', (error) => void this.#drop(thread, error));
    // Nothing to do: it keeps no process.
    worker.unref();
    this.#threads.add(thread);
    return thread;
  }

  #answered(thread: Thread, answer: CheckAnswer): void {
    const { task } = thread;
    thread.stopTimer();
    thread.task = null;
    thread.worker.unref();
    this.#assign();
    if (answer.kind === 'taken') task?.resolve(answer.json);
    else if (answer.kind === 'failed')
      task?.reject(new Error(`A payload could not be checked: ${answer.message}`));
    else task?.reject(new DomainError(answer.code, answer.message, answer.details));
  }

  async #drop(thread: Thread, why: Error): Promise<void> {
    thread.stopTimer();
    this.#threads.delete(thread);
    thread.task?.reject(why);
    thread.task = null;
    this.#assign();
    await thread.worker.terminate();
  }
}

function tookTooLong(ms: number): DomainError {
  const field = 'payload';
  const problem = `takes longer than ${ms} ms to check against its schema`;
  const allowed = 'a smaller payload, or shorter texts where the schema has patterns';
  return new DomainError('InvalidPayload', `payload ${problem}; allowed: ${allowed}.`, {
    field,
    allowed,
    problems: [{ field, message: problem, allowed }],
  });
}
