import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../repository/planted.ts';
import { registerOpen } from './leaks.ts';
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

/** Packs, copies the example, installs. What is optional (embedded Postgres, ffmpeg) stays away: it is most of the weight. */
export async function installExample(): Promise<InstalledExample> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'millrace-test-package-')));
  const closed = registerOpen(`directory ${root}`);
  const children: ChildProcess[] = [];
  const folder = join(root, 'project');
  const remove = async (): Promise<void> => {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
    closed();
  };
  try {
    const packed = await pack(root);
    await cp(join(repository, 'examples/own-job'), folder, { recursive: true });
    const flags = ['--omit=optional', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    await run('npm', ['install', join(root, packed.filename), ...flags], {
      cwd: folder,
      env: environment({}),
    });
    return {
      folder,
      packed: packed.files.map(({ path }) => path),
      run: async (file, args, env = {}) => {
        const { stdout } = await run(process.execPath, [file, ...args], {
          cwd: folder,
          env: environment(env),
        });
        return stdout;
      },
      start: (file, args, env = {}) => {
        const child = spawn(process.execPath, [file, ...args], {
          cwd: folder,
          env: environment(env),
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

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

async function pack(destination: string): Promise<Packed> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', destination], {
    cwd: repository,
    env: environment({}),
    maxBuffer: 16 * 1024 * 1024,
  });
  // What the scripts of the package print comes before.
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as readonly Packed[];
  if (packed === undefined) throw new Error(`npm pack said: ${stdout.slice(0, 1000)}`);
  return packed;
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
        timeoutMs: 180_000,
      });
      if (found === true) throw new Error(`It ended before it said ${pattern}:\n${stderr.slice(-3000)}`);
      return found;
    },
    interrupt: async () => {
      child.kill('SIGINT');
      await waitFor(hasEnded, {
        describe: () => `its end; it said:\n${stderr.slice(-3000)}`,
        timeoutMs: 60_000,
      });
      return child.exitCode;
    },
  };
}

/** The machine's own (npm's cache, registry and proxies), but nothing of Millrace or of the npm that runs the tests. */
function environment(extra: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(process.env).filter(
    ([name]) =>
      !/^(MILLRACE_|DATABASE_URL|PORT$|VITEST|NODE_ENV|npm_(package|lifecycle|config_local_prefix)|INIT_CWD)/.test(
        name,
      ),
  );
  return { ...(Object.fromEntries(own) as Record<string, string>), MILLRACE_LOG_FORMAT: 'json', ...extra };
}
