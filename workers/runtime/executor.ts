import { toError } from '../../src/core/errors.ts';
import type { ClaimedJob, Finish } from '../../src/core/queue.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { Handler, Tools } from '../handler.ts';
import type { Registry } from '../registry.ts';
import { type ContextDeps, createContext } from './context.ts';
import type { Deadlines } from './deadlines.ts';
import type { Leases } from './leases.ts';
import type { LogFiles } from './log-files.ts';
import { type Ended, finishOf } from './normalise.ts';
import { endOf, type PatienceDeps } from './patience.ts';
import type { PayloadCheck } from './payload-check.ts';
import { finishWithoutRunning } from './preflight.ts';
import type { Run } from './run.ts';
import { type SettleDeps, settle } from './settle.ts';

/** The tools of one run; `release` gives back what they took, its temporary directory above all. */
export interface RunTools {
  readonly tools: Tools;
  /** Undefined when there is nothing to wait for, which is so for most small jobs. */
  release(): Promise<void> | undefined;
}

export interface ExecutorDeps extends ContextDeps, SettleDeps, PatienceDeps {
  readonly registry: Registry;
  readonly payloads: PayloadCheck;
  readonly leases: Leases;
  readonly deadlines: Deadlines;
  readonly toolsFor: (claimed: ClaimedJob) => RunTools;
  /** A number in [0, 1). */
  readonly random: () => number;
  /**
   * Called once a run, when its handler has really ended (which for one that was given up may be never) or is not called at
   * all; before its end is written, so that its slot need not wait for that.
   * @param wallMs null when the handler was not called
   */
  readonly onHandlerEnded: (run: Run, wallMs: number | null) => void;
  /** Absent where nobody wants files. */
  readonly logFiles?: LogFiles;
  readonly log: Logger;
}

/** A start that lags behind its claim by more than this is noted; otherwise the claim's time is near enough. */
const NOTE_START_AFTER_MS = 250;

/**
 * Runs one claimed job, step by step, until it is settled. Never throws: whatever goes wrong is how the run ended.
 * @returns how it was settled; null when there was nothing to write
 */
export async function execute(run: Run, deps: ExecutorDeps): Promise<Finish | null> {
  const early = finishWithoutRunning(run.claimed) ?? finishBeforeStart(run);
  if (early !== null || run.lost) {
    deps.onHandlerEnded(run, null);
    return early === null || run.lost ? null : report(run, early, deps);
  }
  // A job whose handler cannot even be called spends its attempts like any other, or it would be tried for ever.
  run.begin();
  let prepared: Prepared;
  try {
    prepared = await prepare(run, deps);
  } catch (error) {
    deps.onHandlerEnded(run, null);
    return conclude(run, { kind: 'threw', error: toError(error) }, deps);
  }
  const tools = deps.toolsFor(run.claimed);
  const handlerEnded = callHandler(run, prepared, tools, deps);
  const ended = await endOf(run, handlerEnded, deps);
  if (ended.kind === 'abandoned') logAbandoned(run, handlerEnded, deps);
  return conclude(run, ended, deps);
}

/** Told to stop, or given up waiting, before it had a slot: handed back or canceled without having run. */
function finishBeforeStart(run: Run): Finish | null {
  if (run.aborted?.kind === 'canceled')
    return { kind: 'final', settlement: { status: 'canceled', reason: run.aborted.message } };
  return run.aborted?.kind === 'shuttingDown' || run.aborted?.kind === 'notBegun'
    ? { kind: 'handBack' }
    : null;
}

interface Prepared {
  readonly handler: Handler;
  readonly payload: unknown;
}

/**
 * Payload first: a job that can never run should not wait for modules to load.
 * @throws PermanentError `InvalidPayload`; what the handler's module throws while it loads
 */
async function prepare(run: Run, deps: ExecutorDeps): Promise<Prepared> {
  const payload = deps.payloads.parse(run.definition, run.claimed.job.payload);
  const { definitionKey } = run.claimed;
  return {
    handler: deps.registry.loaded(definitionKey) ?? (await deps.registry.load(definitionKey)),
    payload,
  };
}

/** Calls the handler under its timeout, and clears up after it, whenever it ends. */
async function callHandler(
  run: Run,
  { handler, payload }: Prepared,
  { tools, release }: RunTools,
  deps: ExecutorDeps,
): Promise<Exclude<Ended, { kind: 'abandoned' }>> {
  deps.deadlines.begin(run);
  const startedMs = performance.now();
  let noting: NodeJS.Timeout | undefined;
  try {
    if (run.aborted !== null) throw run.aborted;
    deps.leases.begin(run);
    noting = noteStart(run, deps);
    return {
      kind: 'returned',
      outcome: await handler(createContext(run, payload, tools, () => logOf(run, deps), deps)),
    };
  } catch (error) {
    return { kind: 'threw', error: toError(error) };
  } finally {
    deps.deadlines.end(run);
    clearTimeout(noting);
    const wallMs = performance.now() - startedMs;
    const releasing = release();
    if (releasing !== undefined)
      await releasing.catch((error: unknown) =>
        logOf(run, deps).warn({ err: toError(error) }, 'run: could not clear up'),
      );
    deps.onHandlerEnded(run, wallMs);
  }
}

/**
 * Notes the start of a run that begins noticeably later than its claim, if it takes long enough for anybody to see it: beside the
 * handler and after a quarter of a second, since a commit more is a third of what a small job costs. The settlement says the exact
 * time. A lease that is gone after all aborts the handler.
 */
function noteStart(run: Run, deps: ExecutorDeps): NodeJS.Timeout | undefined {
  const { startedAt } = run.claimed.job;
  if (startedAt !== null && performance.now() - run.claimedAtMs < NOTE_START_AFTER_MS) return undefined;
  return setTimeout(() => {
    deps.queue.start(run.claimed.lease).then(
      (ours) => {
        if (!ours) run.lose();
      },
      // The settlement carries the time of the start as well.
      () => undefined,
    );
  }, NOTE_START_AFTER_MS);
}

async function conclude(run: Run, ended: Ended, deps: ExecutorDeps): Promise<Finish | null> {
  // Each only where there is something to wait for: a wait for nothing costs a small job as much as a claim of it.
  const noting = deps.progress.finish(run);
  if (noting !== undefined) await noting;
  const storing = deps.logs.finish(run);
  if (storing !== undefined) await storing;
  const finish = finishOf({
    ended,
    aborted: run.aborted,
    lost: run.lost,
    job: run.claimed.job,
    definition: run.definition,
    heldMs: performance.now() - run.claimedAtMs,
    random: deps.random(),
  });
  if (finish === null) {
    logOf(run, deps).warn('run: the lease was lost; whoever has the job now settles it');
    return null;
  }
  return report(run, finish, deps);
}

async function report(run: Run, finish: Finish, deps: ExecutorDeps): Promise<Finish | null> {
  const measure = run.measure();
  const result = await settle(run, finish, measure, () => logOf(run, deps), deps);
  if (result !== 'settled') return null;
  deps.logFiles?.ended(run.claimed, finish);
  const level = finish.kind === 'final' && finish.settlement.status === 'succeeded' ? 'debug' : 'info';
  if (deps.log.isLevelEnabled(level))
    logOf(run, deps)[level](
      { ...facts(finish), wall_ms: Math.round(measure.wallMs) },
      `run: ${said(finish)}`,
    );
  return finish;
}

function said(finish: Finish): string {
  return finish.kind === 'final' ? finish.settlement.status : finish.kind;
}

function facts(finish: Finish): Readonly<Record<string, unknown>> {
  if (finish.kind === 'retry') return { error: finish.error, delay_seconds: finish.delaySeconds };
  if (finish.kind === 'snooze') return { reason: finish.reason, delay_seconds: finish.delaySeconds };
  if (finish.kind === 'handBack') return {};
  const { settlement } = finish;
  if (settlement.status === 'canceled') return { reason: settlement.reason };
  return settlement.status === 'succeeded' ? {} : { error: settlement.error };
}

/** The slot stays taken until it really ends, see `Runs`; nothing that it still writes passes the fence. */
function logAbandoned(run: Run, handlerEnded: Promise<Ended>, deps: ExecutorDeps): void {
  const log = logOf(run, deps);
  log.error(
    { reason: run.aborted?.name },
    'run: the handler ignores its signal; it is given up, its slot stays taken',
  );
  void handlerEnded.then(() => log.warn('run: the handler that was given up has ended; its slot is free'));
}

/** Made when there is something to log: for a small job it would cost a tenth of the whole. */
function logOf(run: Run, deps: ExecutorDeps): Logger {
  const { job, definitionKey } = run.claimed;
  return deps.log.child({
    job_id: job.id,
    tenant_id: job.tenantId,
    definition_key: definitionKey,
    attempt_no: job.runNo,
  });
}
