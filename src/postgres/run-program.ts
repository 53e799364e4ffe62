import { spawn } from 'node:child_process';
import { killGroupAtExit } from './exit-hook.ts';

/** What a finished program left behind. `code` is null when a signal ended it. */
export type ProgramResult = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Set when the program could not even be started (missing, not executable, user switch refused). */
  readonly spawnError?: Error;
};

export type ProgramOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
};

/**
 * Runs a short-lived program to its end and collects what it wrote. Never throws: a failure to start is
 * reported in the result. It gets a process group of its own, so the terminal's Ctrl-C does not hit it in the
 * middle, and it is killed with its children if this process exits first.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  { env = {}, cwd, stdin, uid, gid }: ProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
    });
    const forget = child.pid === undefined ? () => {} : killGroupAtExit(child.pid, 'SIGKILL');
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    // A program that ends without reading its input must not take us down with EPIPE.
    child.stdin.on('error', () => {});
    child.stdin.end(stdin ?? '');
    child.once('error', (spawnError) => {
      forget();
      resolve({ code: null, stdout, stderr, spawnError });
    });
    child.once('close', (code) => {
      forget();
      resolve({ code, stdout, stderr });
    });
  });
}
