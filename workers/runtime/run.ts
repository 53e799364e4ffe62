import type { JobDefinition } from '../../src/core/definition.ts';
import type { AttemptOutput } from '../../src/core/job.ts';
import type { ClaimedJob, Finish, RunMeasure } from '../../src/core/queue.ts';
import { SecretMask } from '../../src/core/redaction/secret-mask.ts';
import { leaseLostRun, type RunAborted } from '../../src/runs/abort-reason.ts';
import type { Registry } from '../registry.ts';
import { type CpuReading, processCpu } from './cpu-meter.ts';

/**
 * `claimed`: nothing of ours runs yet. `running`: the handler is called. `settling`: how it ends is being
 * written. `settled`: written, or nothing to write. A handler that was given up may still run then.
 */
export type RunPhase = 'claimed' | 'running' | 'settling' | 'settled';

/** One claimed run, from its claim until it is settled. */
export class Run {
  readonly claimed: ClaimedJob;
  readonly definition: JobDefinition;
  readonly claimedAtMs: number;
  phase: RunPhase = 'claimed';
  /** Called once when the run is asked to stop; set by the code that waits for that. */
  abortListener: { onAbort(): void } | undefined;
  /** When its handler is to be over, by `performance.now()`; infinite while that is not at work. */
  overMs = Number.POSITIVE_INFINITY;
  /** When its start is to be noted; infinite when there is nothing to note. */
  noteStartMs = Number.POSITIVE_INFINITY;
  /** What it says about how far it is counts no more: its last word was asked for. */
  isProgressOver = false;
  /** What its handler gets, from its beginning on. */
  payload: unknown = null;
  #mask: SecretMask | null | undefined;
  /** What the attempt keeps of a program that it has run. */
  output: AttemptOutput | null = null;
  /** The slot that it has; undefined before its start and after its end. */
  slot: number | undefined;
  /** Its place in the shared table; undefined while its lease is not renewed. */
  leasePlace: number | undefined;
  /** Called with how it was settled, null when nothing was written; set by the code that waits for that. */
  onSettled: ((finish: Finish | null) => void) | undefined;
  /**
   * Made when somebody asks for the signal: most small jobs never do, and it is a fifth of what they cost.
   */
  #controller: AbortController | undefined;
  #aborted: RunAborted | null = null;
  #startedAtMs: number | null = null;
  #cpu: CpuReading | null = null;
  #lost = false;

  /** @param claimedAtMs when its claim was answered, by `performance.now()` */
  constructor(claimed: ClaimedJob, definition: JobDefinition, claimedAtMs = performance.now()) {
    this.claimed = claimed;
    this.definition = definition;
    this.claimedAtMs = claimedAtMs;
  }

  /** Job and run number: two runs of one job may be here at once, when the older one was given up. */
  get key(): string {
    return runKey(this.claimed.lease);
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== null) this.#controller.abort(this.#aborted);
    }
    return this.#controller.signal;
  }

  /** Why the handler was asked to stop first; null while it was not. */
  get aborted(): RunAborted | null {
    return this.#aborted;
  }

  /** True once the lease is known to be gone: nothing may be settled any more. */
  get lost(): boolean {
    return this.#lost;
  }

  /**
   * Resolves with how it was settled, null when nothing was written. To be called before it can have been.
   */
  whenSettled(): Promise<Finish | null> {
    const { promise, resolve } = Promise.withResolvers<Finish | null>();
    this.onSettled = resolve;
    return promise;
  }

  /** The time of day by the database's clock, computed from the claim: ours may be off. */
  databaseNow(): Date {
    const claimedAt = this.claimed.job.claimedAt ?? new Date();
    return new Date(claimedAt.getTime() + performance.now() - this.claimedAtMs);
  }

  /** From here on the run counts as an attempt. */
  begin(): void {
    this.phase = 'running';
    this.#startedAtMs = performance.now();
    this.#cpu = processCpu.begin();
  }

  /** The handler has really ended, which may be after the run was settled. */
  handlerEnded(): void {
    this.#cpu?.end();
  }

  /**
   * Hides the values of the job's secret fields in what the run says; null when it has none. Made when it is
   * first asked for.
   */
  get mask(): SecretMask | null {
    if (this.#mask === undefined) this.#mask = SecretMask.of(this.definition.payload, this.payload);
    return this.#mask;
  }

  /**
   * Asks the handler to stop. The first reason stays; once the end is being written it is too late for any.
   */
  abort(reason: RunAborted): void {
    if (this.phase === 'settling' || this.phase === 'settled') return;
    if (reason.kind === 'leaseLost') this.#lost = true;
    if (this.#aborted !== null) return;
    this.#aborted = reason;
    this.#controller?.abort(reason);
    this.abortListener?.onAbort();
  }

  lose(): void {
    this.abort(leaseLostRun());
  }

  /**
   * When it began and its wall time so far; a run that never began (poison, a spent budget) says so, and
   * spends nothing. The beginning is computed from the claim by the database's clock, which ours need not
   * agree with. CPU time is that of the process, and so known for a run that had it for itself.
   */
  measure(): RunMeasure {
    if (this.#startedAtMs === null) return { startedAtMs: null, wallMs: 0, cpuMs: null };
    const claimedAt = this.claimed.job.claimedAt ?? new Date();
    return {
      startedAtMs: claimedAt.getTime() + this.#startedAtMs - this.claimedAtMs,
      wallMs: performance.now() - this.#startedAtMs,
      cpuMs: this.#cpu?.readMs() ?? null,
      ...(this.output !== null && { output: this.output }),
    };
  }
}

/** The key of a run by its lease. */
export function runKey(lease: { readonly jobId: string; readonly runNo: number }): string {
  return `${lease.jobId}:${lease.runNo}`;
}

/** The job of a run's key. */
export function jobIdOf(key: string): string {
  return key.slice(0, key.lastIndexOf(':'));
}

/** A run of what was claimed just now. @throws Error when its definition is not known */
export function runOf(claimed: ClaimedJob, known: Pick<Registry, 'definition'>, claimedAtMs: number): Run {
  const definition = known.definition(claimed.definitionKey);
  if (definition === undefined)
    throw new Error(`Claimed ${claimed.definitionKey}, which this worker does not know`);
  return new Run(claimed, definition, claimedAtMs);
}
