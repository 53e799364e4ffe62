import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../repository/planted.ts';
import { cleanEnvironment, listTarball, type Packages } from './packages.ts';
import { waitFor } from './wait.ts';

const run = promisify(execFile);

/** The example as a user has it: in a folder of its own, with the package installed from its tarball. */
export interface InstalledExample {
  readonly folder: string;
  /** Paths in the tarball. */
  readonly packed: readonly string[];
  /** Runs a program of the project to its end; the last two only when it fails. */
  run(file: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** Starts one that goes on. */
  start(file: string, args: readonly string[], env?: Readonly<Record<string, string>>): Going;
  remove(): Promise<void>;
}

export interface Going {
  /** Waits for a line on stdout. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ctrl-C; the exit code. */
  interrupt(): Promise<number | null>;
}

/** Copies the example and installs the package into it. */
export async function installExample(packages: Packages): Promise<InstalledExample> {
  const children: ChildProcess[] = [];
  const folder = join(packages.root, 'project');
  const remove = async (): Promise<void> => {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await cp(join(repository, 'examples/own-job'), folder, { recursive: true });
    await packages.install(packages.library, folder);
    const packed = await listTarball(packages.library);
    return {
      folder,
      packed,
      run: async (file, args, env = {}) => {
        const { stdout } = await run(process.execPath, [file, ...args], {
          cwd: folder,
          env: cleanEnvironment(env),
        });
        return stdout;
      },
      start: (file, args, env = {}) => {
        const child = spawn(process.execPath, [file, ...args], {
          cwd: folder,
          env: cleanEnvironment(env),
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        children.push(child);
        return going(child);
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function going(child: ChildProcess): Going {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (stderr += text));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    said: async (pattern) => {
      const found = await waitFor(() => pattern.exec(stdout) ?? hasEnded(), {
        describe: () => `${pattern} on stdout; it said:\n${stdout.slice(-1000)}\n${stderr.slice(-3000)}`,
        timeoutMs: 300_000,
      });
      if (found === true) throw new Error(`It ended before it said ${pattern}:\n${stderr.slice(-3000)}`);
      return found;
    },
    interrupt: async () => {
      child.kill('SIGINT');
      await waitFor(hasEnded, {
        describe: () => `its end; it said:\n${stderr.slice(-3000)}`,
      });
      return child.exitCode;
    },
  };
}
