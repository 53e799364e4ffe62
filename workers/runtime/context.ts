import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Subject } from '../../src/core/job.ts';
import type { JobLogLevel } from '../../src/core/job-log.ts';
import { lostLease } from '../../src/core/lost-lease.ts';
import type { ClaimedJob, WorkerQueue } from '../../src/core/queue.ts';
import { redact } from '../../src/core/redaction/redact.ts';
import { textOf } from '../../src/core/text-of.ts';
import { classifyError } from '../../src/db/retryable.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { ArtifactLookup, HandlerContext, JobLog, ProgressUpdate, Tools } from '../handler.ts';
import type { ProvidedRun } from '../provide.ts';
import type { JobLogWriter } from './job-log-writer.ts';
import { logOfRun } from './log-of-run.ts';
import type { ProgressWriter } from './progress-writer.ts';
import type { Run } from './run.ts';

/** The tools of one run; `release` returns what they took, its temporary directory above all. */
export interface RunTools {
  readonly tools: Tools;
  /** Undefined when there is nothing to wait for, which is so for most small jobs. */
  release(): Promise<void> | undefined;
}

export interface ContextDeps {
  readonly queue: WorkerQueue;
  readonly progress: ProgressWriter;
  readonly logs: JobLogWriter;
  readonly log: Logger;
  readonly toolsFor: (claimed: ClaimedJob) => RunTools;
  readonly artifactsOf: (job: Job) => ArtifactLookup;
  /** What the registration of a definition provides to its runs. */
  readonly ownOf: (definitionKey: string, run: ProvidedRun) => unknown;
}

const FENCE_RETRY_MS = 200;

/**
 * All that a handler sees of its run. What a small job does not ask for is not made, and what it calls may be
 * taken out of the context (`({ progress }) => …`), so that each getter of a function gives one that needs no
 * `this`.
 */
export class RunContext implements HandlerContext {
  readonly payload: unknown;
  readonly #run: Run;
  readonly #deps: ContextDeps;
  #tools: RunTools | undefined;
  #log: JobLog | undefined;
  #artifacts: ArtifactLookup | undefined;
  #own: { readonly made: unknown } | undefined;

  constructor(run: Run, payload: unknown, deps: ContextDeps) {
    this.payload = payload;
    this.#run = run;
    this.#deps = deps;
  }

  get jobId(): string {
    return this.#run.claimed.job.id;
  }

  get tenantId(): string {
    return this.#run.claimed.job.tenantId;
  }

  get definitionKey(): string {
    return this.#run.claimed.definitionKey;
  }

  get subject(): Subject | null {
    return this.#run.claimed.job.subject;
  }

  get runNo(): number {
    return this.#run.claimed.job.runNo;
  }

  get attemptCount(): number {
    return this.#run.claimed.job.attemptCount;
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  get log(): JobLog {
    this.#log ??= jobLog(this.#run, logOfRun(this.#run, this.#deps.log), this.#deps.logs);
    return this.#log;
  }

  get tools(): Tools {
    this.#tools ??= this.#deps.toolsFor(this.#run.claimed);
    return this.#tools.tools;
  }

  get artifacts(): ArtifactLookup {
    this.#artifacts ??= this.#deps.artifactsOf(this.#run.claimed.job);
    return this.#artifacts;
  }

  get own(): unknown {
    this.#own ??= { made: this.#deps.ownOf(this.definitionKey, this.#run.claimed) };
    return this.#own.made;
  }

  get progress(): HandlerContext['progress'] {
    return (update) => {
      const { mask } = this.#run;
      this.#deps.progress.note(this.#run, mask === null ? update : (mask.value(update) as ProgressUpdate));
    };
  }

  get noteAttempt(): HandlerContext['noteAttempt'] {
    return (output) => {
      const { mask } = this.#run;
      this.#run.output =
        mask === null
          ? output
          : { ...output, stdoutTail: mask.text(output.stdoutTail), stderrTail: mask.text(output.stderrTail) };
    };
  }

  get fence(): HandlerContext['fence'] {
    return () => fence(this.#run, this.#deps.queue);
  }

  /** Gives the tools back; undefined when there is nothing to wait for. */
  release(): Promise<void> | undefined {
    return this.#tools?.release();
  }
}

/** Passes only on the database's word: while it is away nothing is published, however long that takes. */
async function fence(run: Run, queue: WorkerQueue): Promise<void> {
  for (;;) {
    if (run.phase !== 'running') throw lostLease(run.claimed.lease);
    run.signal.throwIfAborted();
    try {
      if (await queue.holds(run.claimed.lease)) return;
      run.lose();
      throw lostLease(run.claimed.lease);
    } catch (error) {
      if (classifyError(error) === 'fatal') throw error;
      await sleep(FENCE_RETRY_MS, undefined, { signal: run.signal });
    }
  }
}

function jobLog(run: Run, log: Logger, logs: JobLogWriter): JobLog {
  const to =
    (level: JobLogLevel) =>
    (message: string, data?: Readonly<Record<string, unknown>>): void => {
      const { mask } = run;
      const text = mask === null ? textOf(message) : mask.text(textOf(message));
      const shown =
        mask === null || data === undefined
          ? data
          : (mask.value(redact(data, 'brief')) as Readonly<Record<string, unknown>>);
      log[level]({ data: shown }, text);
      logs.note(run, level, text, shown);
    };
  return { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') };
}
