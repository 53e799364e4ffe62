import { toError } from '../../src/core/errors.ts';
import type { ClaimedJob, Finish } from '../../src/core/queue.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { Handler, Tools } from '../handler.ts';
import type { Registry } from '../registry.ts';
import { timedOutRun } from './abort-reason.ts';
import { type ContextDeps, createContext } from './context.ts';
import type { Leases } from './leases.ts';
import { type Ended, finishOf } from './normalise.ts';
import type { PayloadCheck } from './payload-check.ts';
import { finishWithoutRunning } from './preflight.ts';
import type { Run } from './run.ts';
import { type SettleDeps, settle } from './settle.ts';

/** The tools of one run; `release` gives back what they took, its temporary directory above all. */
export interface RunTools {
  readonly tools: Tools;
  release(): Promise<void>;
}

export interface ExecutorDeps extends ContextDeps, SettleDeps {
  readonly registry: Registry;
  readonly payloads: PayloadCheck;
  readonly leases: Leases;
  readonly toolsFor: (claimed: ClaimedJob) => RunTools;
  /** How long a handler that was told to stop may take to end. */
  readonly abandonGraceMs: number;
  /** Fires when the process has to end now: handlers that were told to stop get half a second. */
  readonly hurry: AbortSignal;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly log: Logger;
}

/** What a finished execution leaves behind. */
export interface Execution {
  /** How it was settled; null when there was nothing to write. */
  readonly finish: Finish | null;
  /** Resolves when the handler has really ended, which for one that was given up may be never. */
  readonly handlerEnded: Promise<unknown>;
}

/** A start that lags behind its claim by more than this is noted; otherwise the claim's time is near enough. */
const NOTE_START_AFTER_MS = 250;

/** Runs one claimed job, step by step, until it is settled. Never throws: whatever goes wrong is how the run ended. */
export async function execute(run: Run, deps: ExecutorDeps): Promise<Execution> {
  const log = runLog(run, deps.log);
  const early = finishWithoutRunning(run.claimed);
  if (early !== null) return { finish: await report(run, early, log, deps), handlerEnded: Promise.resolve() };

  // A job whose handler cannot even be called spends its attempts like any other, or it would be tried for ever.
  run.begin();
  const prepared = await prepare(run, deps);
  if (prepared.kind === 'threw') {
    return { finish: await conclude(run, prepared, log, deps), handlerEnded: Promise.resolve() };
  }
  const tools = deps.toolsFor(run.claimed);
  const handlerEnded = callHandler(run, prepared, tools, log, deps);
  const patience = givenUp(run, deps);
  const ended = await Promise.race([handlerEnded, patience.over]);
  patience.end();
  if (ended.kind === 'abandoned') logAbandoned(run, handlerEnded, log);
  return { finish: await conclude(run, ended, log, deps), handlerEnded };
}

type Prepared = { readonly kind: 'ready'; readonly handler: Handler; readonly payload: unknown };

/** Payload first: a job that can never run should not wait for modules to load. */
async function prepare(run: Run, deps: ExecutorDeps): Promise<Prepared | Extract<Ended, { kind: 'threw' }>> {
  try {
    const payload = deps.payloads.parse(run.definition, run.claimed.job.payload);
    return { kind: 'ready', handler: await deps.registry.load(run.claimed.definitionKey), payload };
  } catch (error) {
    return { kind: 'threw', error: toError(error) };
  }
}

/** Calls the handler under its timeout, and clears up after it, whenever it ends. */
async function callHandler(
  run: Run,
  { handler, payload }: Prepared,
  { tools, release }: RunTools,
  log: Logger,
  deps: ExecutorDeps,
): Promise<Exclude<Ended, { kind: 'abandoned' }>> {
  const { timeoutSeconds } = run.claimed;
  const timer = setTimeout(() => run.abort(timedOutRun(timeoutSeconds)), timeoutSeconds * 1000);
  try {
    run.signal.throwIfAborted();
    deps.leases.begin(run);
    noteStart(run, deps);
    return { kind: 'returned', outcome: await handler(createContext(run, payload, tools, log, deps)) };
  } catch (error) {
    return { kind: 'threw', error: toError(error) };
  } finally {
    clearTimeout(timer);
    await release().catch((error: unknown) => log.warn({ err: toError(error) }, 'run: could not clear up'));
  }
}

/**
 * Beside the handler, not before it: the claim has just given us the lease, and one commit less is a third of what a small
 * job costs. A lease that is gone after all aborts the handler.
 */
function noteStart(run: Run, deps: ExecutorDeps): void {
  if (performance.now() - run.claimedAtMs < NOTE_START_AFTER_MS) return;
  deps.queue.start(run.claimed.lease).then(
    (ours) => {
      if (!ours) run.lose();
    },
    // The settlement carries the time of the start as well.
    () => undefined,
  );
}

const HURRIED_GRACE_MS = 500;

/** Resolves a grace after the handler was told to stop. `end` takes its listeners off: one of the signals lives as long as the process. */
function givenUp(
  run: Run,
  { abandonGraceMs, hurry }: ExecutorDeps,
): { readonly over: Promise<Extract<Ended, { kind: 'abandoned' }>>; end(): void } {
  const { promise, resolve } = Promise.withResolvers<Extract<Ended, { kind: 'abandoned' }>>();
  const ended = new AbortController();
  const resolveIn = (graceMs: number): unknown =>
    setTimeout(() => resolve({ kind: 'abandoned' }), graceMs).unref();
  onAbort(run.signal, ended.signal, () => {
    resolveIn(abandonGraceMs);
    onAbort(hurry, ended.signal, () => resolveIn(HURRIED_GRACE_MS));
  });
  return { over: promise, end: () => ended.abort() };
}

function onAbort(signal: AbortSignal, until: AbortSignal, call: () => void): void {
  if (signal.aborted) call();
  else signal.addEventListener('abort', call, { once: true, signal: until });
}

async function conclude(run: Run, ended: Ended, log: Logger, deps: ExecutorDeps): Promise<Finish | null> {
  await deps.progress.finish(run);
  const finish = finishOf({
    ended,
    aborted: run.aborted,
    lost: run.lost,
    job: run.claimed.job,
    definition: run.definition,
    random: deps.random(),
  });
  if (finish === null) {
    log.warn('run: the lease was lost; whoever has the job now settles it');
    return null;
  }
  return report(run, finish, log, deps);
}

async function report(run: Run, finish: Finish, log: Logger, deps: ExecutorDeps): Promise<Finish | null> {
  const measure = run.measure();
  const result = await settle(run, finish, measure, log, deps);
  if (result !== 'settled') return null;
  const level = finish.kind === 'final' && finish.settlement.status === 'succeeded' ? 'debug' : 'info';
  log[level]({ ...facts(finish), wall_ms: Math.round(measure.wallMs) }, `run: ${said(finish)}`);
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
function logAbandoned(run: Run, handlerEnded: Promise<Ended>, log: Logger): void {
  log.error(
    { reason: run.aborted?.name },
    'run: the handler ignores its signal; it is given up, its slot stays taken',
  );
  void handlerEnded.then(() => log.warn('run: the handler that was given up has ended; its slot is free'));
}

function runLog(run: Run, log: Logger): Logger {
  const { job, definitionKey } = run.claimed;
  return log.child({
    job_id: job.id,
    tenant_id: job.tenantId,
    definition_key: definitionKey,
    attempt_no: job.runNo,
  });
}
