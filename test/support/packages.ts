import { execFile } from 'node:child_process';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../repository/planted.ts';
import { registerOpen } from './leaks.ts';

const run = promisify(execFile);

/** The packages as they are published, in a folder of their own. */
export interface Packages {
  readonly root: string;
  /** The tarballs of `millrace` and of `@millrace/client`. */
  readonly library: string;
  readonly client: string;
  /**
   * Installs a tarball into a folder with the flags given; nothing of the machine but npm's settings is used.
   */
  install(tarball: string, folder: string, flags?: readonly string[]): Promise<void>;
  remove(): Promise<void>;
}

/** Builds and packs both packages. */
export async function makePackages(): Promise<Packages> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'millrace-test-package-')));
  const closed = registerOpen(`directory ${root}`);
  const remove = async (): Promise<void> => {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
    closed();
  };
  try {
    await run(process.execPath, [join(repository, 'scripts/pack.ts'), root, join(root, 'dist')], {
      env: cleanEnvironment(),
      maxBuffer: 16 * 1024 * 1024,
    });
    const find = async (pattern: RegExp): Promise<string> => {
      const name = (await readdir(root)).find((file) => pattern.test(file));
      if (name === undefined) throw new Error(`No tarball like ${pattern} was made`);
      return join(root, name);
    };
    return {
      root,
      library: await find(/^millrace-\d.*\.tgz$/),
      client: await find(/^millrace-client-\d.*\.tgz$/),
      install: async (tarball, folder, flags = []) => {
        const always = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
        await run('npm', ['install', tarball, ...always, ...flags], {
          cwd: folder,
          env: cleanEnvironment(),
        });
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The paths in a tarball, without the folder `package`. */
export async function listTarball(tarball: string): Promise<readonly string[]> {
  const { stdout } = await run('tar', ['--list', '--file', tarball], { maxBuffer: 16 * 1024 * 1024 });
  return stdout
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
}

/**
 * The machine's own (npm's cache, registry and proxies), but nothing of Millrace or of the npm that runs the
 * tests.
 */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const own = Object.entries(process.env).filter(
    ([name]) =>
      !/^(MILLRACE_|DATABASE_URL|PORT$|VITEST|NODE_ENV|npm_(package|lifecycle|config_local_prefix)|INIT_CWD)/.test(
        name,
      ),
  );
  return { ...(Object.fromEntries(own) as Record<string, string>), MILLRACE_LOG_FORMAT: 'json', ...extra };
}
