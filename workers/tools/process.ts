import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { toError } from '../../src/core/errors.ts';
import { CappedOutput } from './capped-output.ts';
import { type ChildGuard, childGuard } from './child-guard.ts';
import { LineSplitter } from './line-splitter.ts';
import { ProcessEnder } from './process-ender.ts';
import { signalGroup } from './process-group.ts';
import { killMarked, newMark } from './process-mark.ts';
import type { LineCallback, ProcessEnd, ProcessResult, ProcessSpec } from './process-spec.ts';
import { startTreeGuardian } from './tree-guardian.ts';

const DEFAULT_KILL_GRACE_MS = 3000;
const DEFAULT_MAX_OUTPUT_BYTES = 64 * 1024;
/**
 * After the program's exit its output is read this long at most: a process that left the group may hold the
 * pipe.
 */
const DRAIN_MS = 2000;

/**
 * Runs a program to its end in a process group of its own, and is the only place that starts any. Whatever
 * ends it, all that it has started is gone when the promise settles, also what has left its group and
 * session; and when this process dies, it goes too. Its memory is limited, see `limitChildMemory`. Resolves
 * in every case but one: a line callback or a reader of pipes that throws.
 */
export async function runProcess(spec: ProcessSpec): Promise<ProcessResult> {
  startTreeGuardian();
  const guard = await childGuard(async ([file = '', ...args]) => {
    const trial = await runUnguarded({ file, args, cwd: '/', timeoutMs: 5000 }, NO_GUARD);
    return trial.end.how === 'exited' && trial.end.exitCode === 0;
  }, spec.memoryLimitBytes);
  return await runUnguarded(spec, guard);
}

const NO_GUARD: ChildGuard = { argv: [], memoryLimitBytes: null };

async function runUnguarded(spec: ProcessSpec, guard: ChildGuard): Promise<ProcessResult> {
  const startedMs = performance.now();
  const stdout = new CappedOutput(spec.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES);
  const stderr = new CappedOutput(spec.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES);
  const finish = (end: ProcessEnd, processEnd = end): ProcessResult => ({
    end,
    processEnd,
    durationMs: performance.now() - startedMs,
    stdout: stdout.text(),
    stderr: stderr.text(),
    stdoutOmittedBytes: stdout.omittedBytes,
    memoryLimitBytes: guard.memoryLimitBytes,
  });
  if (spec.signal?.aborted === true) return finish({ how: 'aborted' });

  let child: ChildProcess;
  const { mark, env } = newMark();
  try {
    child = start(spec, guard, env);
  } catch (error) {
    return finish({ how: 'notStarted', error: toError(error) });
  }
  const groupId = child.pid;
  const exit = exitOf(child);
  if (groupId === undefined) return finish(await exit);
  spec.onStarted?.(groupId);

  const ender = new ProcessEnder(groupId, spec, spec.killGraceMs ?? DEFAULT_KILL_GRACE_MS, mark);
  follow(child.stdout, stdout, spec.onStdoutLine, spec.onStdout, ender);
  follow(child.stderr, stderr, spec.onStderrLine, spec.onStderr, ender);
  const reading = readPipes(child, spec, ender);
  const naturalEnd = await exit;
  if (spec.endsTree === true && ender.hasDecided) await ender.treeGone(mark);
  // Whatever it left running in its group goes with it, also after a good exit. The group's id cannot have
  // been given to a stranger while a member lives; when none does, this is a few microseconds after the exit
  // was collected.
  signalGroup(groupId, 'SIGKILL');
  ender.processGone();
  // What it had time to move elsewhere. Ids may have come round since it was started, so after an end of ours
  // all are looked at.
  killMarked(mark, ender.hasDecided ? 0 : groupId);
  await (spec.pipes?.drainMs === undefined
    ? reading
    : Promise.race([reading, sleep(spec.pipes.drainMs, undefined, { ref: false })]));
  await drained(child);
  const callbackError = ender.stop();
  if (callbackError !== null) throw callbackError;
  return finish(ender.cause ?? naturalEnd, naturalEnd);
}

function start(spec: ProcessSpec, guard: ChildGuard, mark: Readonly<Record<string, string>>): ChildProcess {
  // Behind a guard a missing program would look like an exit code; ask for it beforehand.
  if (isAbsolute(spec.file)) accessSync(spec.file, constants.X_OK);
  const [file = spec.file, ...args] = [...guard.argv, spec.file, ...spec.args];
  return spawn(file, args, {
    cwd: spec.cwd,
    env: { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', HOME: spec.cwd, TMPDIR: spec.cwd, ...spec.env, ...mark },
    detached: true,
    shell: false,
    ...spec.user,
    stdio: [
      'ignore',
      'pipe',
      'pipe',
      ...Array.from({ length: spec.pipes?.count ?? 0 }, () => 'pipe' as const),
    ],
  });
}

/**
 * Lets the caller read the further pipes, to their ends also after the program's; the watchdog goes on
 * meanwhile. Never rejects: errors go to the ender.
 */
async function readPipes(child: ChildProcess, spec: ProcessSpec, ender: ProcessEnder): Promise<void> {
  if (spec.pipes === undefined) return;
  const pipes = child.stdio.slice(3).filter((stream): stream is Readable => stream !== null);
  // Also for those that the reader does not listen to (any more): an error without a listener would end the
  // worker.
  for (const pipe of pipes) pipe.on('error', () => {});
  const reading = spec.pipes
    .read(pipes, () => ender.progressed())
    .catch((thrown: unknown) => ender.fail(thrown));
  void ender.decided.then(() => {
    for (const pipe of pipes) pipe.destroy();
  });
  await reading;
  for (const pipe of pipes) pipe.destroy();
}

function exitOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ how: 'notStarted', error });
    });
    child.once('exit', (exitCode, signal) => {
      resolve(signal === null ? { how: 'exited', exitCode: exitCode ?? -1 } : { how: 'signaled', signal });
    });
  });
}

function follow(
  stream: Readable | null,
  output: CappedOutput,
  onLine: LineCallback | undefined,
  onChunk: ((chunk: Buffer) => void) | undefined,
  ender: ProcessEnder,
): void {
  if (stream === null) return;
  const progressed = () => ender.progressed();
  const lines =
    onLine === undefined
      ? null
      : new LineSplitter((line) => ender.guardCallback(() => onLine(line, progressed)));
  stream.on('data', (chunk: Buffer) => {
    output.write(chunk);
    if (onChunk !== undefined) ender.guardCallback(() => onChunk(chunk));
    if (lines === null) ender.outputSeen();
    else lines.write(chunk);
  });
  stream.on('end', () => lines?.end());
  stream.on('error', () => {}); // a broken pipe at the end of a killed process says nothing new
}

/** Waits until both outputs are read to their end, but not longer than `DRAIN_MS`. */
async function drained(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null && !stream.closed);
  const closed = Promise.all(
    streams.map((stream) => new Promise((resolve) => stream?.once('close', resolve))),
  );
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
  });
  await Promise.race([closed, tooLong]);
  clearTimeout(timer);
  for (const stream of streams) stream?.destroy();
}
