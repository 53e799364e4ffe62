/**
 * Carries out the Dockerfile's lines in order, in an empty folder and as an unprivileged user, on a machine
 * without a container engine. Lines that need root are reported as skipped. Then the image's command must
 * start far enough to say what is wrong with an empty configuration, which loads every module that the image
 * was given.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, constants, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseDockerfile } from './dockerfile/parse.ts';
import { simulate } from './dockerfile/simulate.ts';

const root = resolve(import.meta.dirname, '..');
const workFolder = mkdtempSync(join(tmpdir(), 'millrace-image-'));
try {
  chmodSync(workFolder, 0o755);
  const { folder, env } = simulate(parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8')), {
    contextFolder: root,
    workFolder: join(workFolder, 'stages'),
    env: imageEnvironment(),
    log: (line) => console.log(line),
    runTimeoutMs: 600_000,
  });
  for (const program of ['src/server.ts', 'workers/main.ts']) reportStart(program, folder, env);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(workFolder, { recursive: true, force: true });
}

/** The base image's PATH has this Node and its npm; the home and npm's cache are the build's own. */
function imageEnvironment(): Record<string, string> {
  const bin = join(workFolder, 'bin');
  mkdirSync(bin);
  // A copy, since this Node may lie where the unprivileged user cannot reach it.
  copyFileSync(process.execPath, join(bin, 'node'), constants.COPYFILE_FICLONE);
  chmodSync(join(bin, 'node'), 0o755);
  const home = join(workFolder, 'stages', 'home');
  mkdirSync(home, { recursive: true });
  // How this machine reaches a package registry: its address, a proxy, a certificate of its own.
  const network =
    /^(npm_config_(registry|cafile|.*proxy)|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i;
  const settings = Object.entries(process.env).filter(([name]) => network.test(name));
  return {
    ...(Object.fromEntries(settings) as Record<string, string>),
    PATH: [bin, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    npm_config_cache: join(home, '.npm'),
    npm_config_update_notifier: 'false',
  };
}

/**
 * An unknown setting is refused only after every module has been loaded, so its name in the output shows that
 * they were.
 */
function reportStart(program: string, cwd: string, env: Record<string, string>): void {
  const run = spawnSync(process.execPath, [program, '--check'], {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: '/usr/bin:/bin', ...env, MILLRACE_NO_SUCH_SETTING: '1' },
  });
  const output = `${run.stdout}${run.stderr}`;
  if (run.status !== 0 && output.includes('MILLRACE_NO_SUCH_SETTING')) {
    console.log(`${program}: loads in the image and reads its configuration`);
    return;
  }
  console.error(
    `${program}: should have refused an unknown setting; it ended with ${run.status}:\n${output}`,
  );
  process.exitCode = 1;
}
