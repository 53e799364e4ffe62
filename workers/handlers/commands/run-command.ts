import { writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { PermanentError, toError } from '../../../src/core/errors.ts';
import { done } from '../../../src/core/outcome.ts';
import { textOf } from '../../../src/domains/commands/argv-template.ts';
import { exitAction } from '../../../src/domains/commands/exit-codes.ts';
import type { Command } from '../../../src/domains/commands/load-commands.ts';
import { type FillContext, valueAt } from '../../../src/domains/commands/placeholder.ts';
import type { Handler, HandlerContext } from '../../handler.ts';
import { giveJobDirectory } from '../../tools/job-directory.ts';
import { LineSplitter } from '../../tools/line-splitter.ts';
import { runProcess } from '../../tools/process.ts';
import type { ProcessEnd, ProcessResult } from '../../tools/process-spec.ts';
import { programsIn } from '../../tools/search-path.ts';
import { CommandFailed } from './command-failed.ts';
import { LineTail } from './line-tail.ts';
import { parseReport, readReports } from './report.ts';
import { resultIn } from './result-file.ts';

const TAIL_BYTES = 64 * 1024;
const DEFAULT_GRACE_SECONDS = 5;
const PROGRESS_FD = 3;

/**
 * The handler of a command: runs its program with exactly the arguments that its entry makes of the payload.
 */
export function commandHandler(
  command: Command,
  ownEnv: Readonly<Record<string, string | undefined>>,
): Handler {
  return async (context) => {
    const fill = fillContextOf(context);
    // Before anything is started: what the payload cannot fill fails for good.
    const args = command.argv.fill(fill);
    const env = environmentOf(command, fill, ownEnv);
    const file = await programOf(command.argv.program, env['PATH'] ?? '');
    const directory = await context.tools.tempDir();
    const resultFile = join(directory, '.millrace-result.json');
    const payloadFile = join(directory, '.millrace-payload.json');
    await writeFile(payloadFile, JSON.stringify(context.payload), { mode: 0o600 });
    const { entry } = command;
    if (entry.user && process.getuid?.() === 0) await giveJobDirectory(directory, entry.user);
    const stdout = follow(context, 'stdout');
    const stderr = follow(context, 'stderr');
    let reported: unknown;
    let pid: number | null = null;
    const result = await runProcess({
      file,
      args,
      cwd: entry.cwd ?? directory,
      env: {
        ...env,
        MILLRACE_JOB_ID: fill.job.id,
        MILLRACE_TENANT_ID: fill.tenant.id,
        MILLRACE_RUN_NO: String(fill.job.runNo),
        MILLRACE_PAYLOAD_FILE: payloadFile,
        MILLRACE_RESULT_FILE: resultFile,
        MILLRACE_PROGRESS_FD: String(PROGRESS_FD),
      },
      signal: context.signal,
      killGraceMs: (entry.graceSeconds ?? DEFAULT_GRACE_SECONDS) * 1000,
      endsTree: true,
      memoryLimitBytes: entry.memoryMb === undefined ? null : entry.memoryMb * 2 ** 20,
      ...(entry.user && { user: entry.user }),
      onStarted: (started) => {
        pid = started;
      },
      onStdout: stdout.write,
      onStderr: stderr.write,
      pipes: {
        count: 1,
        drainMs: 2000,
        read: async ([pipe]) => {
          if (pipe === undefined) return;
          await readReports(pipe, (line) => {
            const report = parseReport(line);
            if (report === null)
              context.log.warn('This line of the progress descriptor is no report', {
                line: line.slice(0, 200),
              });
            if (report?.progress != null) context.progress(report.progress);
            if (report?.result !== undefined) reported = report.result;
          });
        },
      },
    });
    stdout.end();
    stderr.end();
    const { exitCode, signal } = endOf(result.processEnd);
    const tails = { stdoutTail: stdout.tail(), stderrTail: stderr.tail() };
    context.noteAttempt({ pid, exitCode, signal, ...tails });
    settleEnd(command, result, tails.stderrTail || tails.stdoutTail, context.signal);
    return done((await resultIn(resultFile)) ?? reported ?? null);
  };
}

/** Throws unless the program has done its work. */
function settleEnd(
  { key, entry }: Command,
  { end }: ProcessResult,
  output: string,
  stopped: AbortSignal,
): void {
  switch (end.how) {
    case 'aborted':
      throw toError(stopped.reason);
    case 'notStarted':
      throw new CommandFailed(`${key} could not be started: ${end.error.message}`);
    case 'signaled':
      throw new CommandFailed(`${key} was ended by ${end.signal}${lastLineOf(output)}`);
    case 'exited': {
      const action = exitAction(end.exitCode, entry.exitCodes);
      if (action === 'done') return;
      const message = `${key} exited with code ${end.exitCode}${lastLineOf(output)}`;
      throw action === 'permanent'
        ? new PermanentError('CommandFailed', message)
        : new CommandFailed(message);
    }
    default:
      throw new CommandFailed(`${key} was ended: ${end.how}`);
  }
}

function endOf(end: ProcessEnd): { readonly exitCode: number | null; readonly signal: string | null } {
  return {
    exitCode: end.how === 'exited' ? end.exitCode : null,
    signal: end.how === 'signaled' ? end.signal : null,
  };
}

function lastLineOf(output: string): string {
  const line = output.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? '' : `: ${line.slice(0, 500)}`;
}

/** Sends the lines of a stream into the job's log as they come, and keeps its end. */
function follow(context: HandlerContext, stream: 'stdout' | 'stderr') {
  const tail = new LineTail(TAIL_BYTES);
  const level = stream === 'stdout' ? 'info' : 'warn';
  const lines = new LineSplitter((line) => context.log[level](line, { stream }));
  return {
    write: (chunk: Buffer): void => {
      tail.write(chunk);
      lines.write(chunk);
    },
    end: (): void => lines.end(),
    tail: (): string => tail.text(),
  };
}

/** Passes on only the worker's variables that the entry names: the worker's secrets stay private. */
function environmentOf(
  { entry, env }: Command,
  fill: FillContext,
  ownEnv: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const name of ['PATH', ...(entry.passEnv ?? [])]) {
    const value = ownEnv[name];
    if (value !== undefined) variables[name] = value;
  }
  for (const [name, template] of Object.entries(env)) {
    const isAbsent = template.some((piece) => 'path' in piece && valueAt(piece.path, fill) === undefined);
    if (isAbsent) continue;
    variables[name] = template
      .map((piece) => ('text' in piece ? piece.text : textOf(piece.path, valueAt(piece.path, fill))))
      .join('');
  }
  return variables;
}

async function programOf(program: string, searchPath: string): Promise<string> {
  if (isAbsolute(program)) return program;
  if (!program.includes('/')) for await (const path of programsIn(searchPath, program)) return path;
  throw new CommandFailed(`There is no program ${program} in PATH (${searchPath})`);
}

function fillContextOf(context: HandlerContext): FillContext {
  return {
    payload: context.payload,
    tenant: { id: context.tenantId },
    job: {
      id: context.jobId,
      definitionKey: context.definitionKey,
      runNo: context.runNo,
      attemptCount: context.attemptCount,
      subjectType: context.subject?.type ?? null,
      subjectId: context.subject?.id ?? null,
    },
  };
}
