import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../src/cli/call-api.ts';
import { type Program, startProgram } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';
import { playClipInConsole } from './play-clip-in-console.ts';

let dataDir: string;
/** That the first start has printed. */
let earlierToken = '';
const programs: Program[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'millrace-demo-'));
  // Run by root, the server has a user of its own, who must get in.
  await chmod(dataDir, 0o755);
});
afterEach(async () => {
  for (const program of programs.splice(0)) await program.kill();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

function demo(env: Record<string, string> = {}, command = 'demo'): Program {
  const program = startProgram('src/main.ts', [command], { PORT: '0', MILLRACE_DATA_DIR: dataDir, ...env });
  programs.push(program);
  return program;
}

interface Videos {
  readonly videos: {
    readonly nodes: readonly { readonly status: string; readonly durationMs: number | null }[];
  };
}

describe.sequential('npm run demo', () => {
  test('comes up from nothing with one ready line, its sample video goes through, and the link that it prints leads to a clip that is made and played', async () => {
    const program = demo();
    const { url, graphql, token } = await program.ready();
    earlierToken = token;
    expect(program.stdout().trim().split('\n')).toHaveLength(1);
    // The two streams are read apart: the line may be here before the block that was written with it.
    await waitFor(() => program.stderr().includes('Millrace is up.'), { describe: 'the block for people' });
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    const video = await waitFor(
      async () => {
        const { videos } = await callApi<Videos>(
          { graphqlUrl: graphql, token },
          '{ videos { nodes { status durationMs } } }',
        );
        return videos.nodes.find((node) => node.status === 'READY');
      },
      {
        describe: () => `the sample to be ready:\n${program.stderr().slice(-2000)}`,
      },
    );
    expect(video.durationMs).toBeGreaterThan(5_000);
    const clipUrl = await waitFor(() => /Clip +(http\S+)/.exec(program.stderr())?.[1], {
      describe: () => `a search and a clip of it:\n${program.stderr().slice(-2000)}`,
    });
    expect(program.stderr()).toMatch(/\d:\d\d\.\d to \d:\d\d\.\d +.*water wheel/);
    const clip = await fetch(clipUrl);
    expect([clip.status, clip.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect((await clip.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
    const [, link = ''] = /Console +(\S+)/.exec(program.stderr()) ?? [];
    await playClipInConsole(link, dataDir);
    expect(await program.interrupt()).toBe(0);
    expect(program.stdout().trim().split('\n')).toHaveLength(1);
  });

  test('starts again on the same data: an earlier token still works, the sample is not put in twice, no secret is logged, and a second start is refused', async () => {
    const path = join(dataDir, 'secrets.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { jwtSecret, signingSecret } = JSON.parse(await readFile(path, 'utf8'));
    const first = demo();
    const { url, graphql } = await first.ready();
    await waitFor(() => first.stderr().includes('already there'), { describe: 'the sample to be found' });
    const { videos } = await callApi<Videos>(
      { graphqlUrl: graphql, token: earlierToken },
      '{ videos { nodes { status durationMs } } }',
    );
    expect(videos.nodes).toHaveLength(1);
    const second = demo();
    expect(await second.ended()).toBe(1);
    expect(second.stdout()).toBe('');
    expect(second.stderr()).toContain(String(first.pid));
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(await first.interrupt()).toBe(0);
    for (const secret of [jwtSecret, signingSecret])
      expect(first.stdout() + first.stderr()).not.toContain(secret);
  });

  test('starts after starts that were killed at once, 400 ms and 1.5 s in, database server and all', async () => {
    for (const killAfterMs of [0, 400, 1_500]) {
      const victim = demo();
      if (killAfterMs > 0) {
        const startedMs = performance.now();
        await waitFor(() => performance.now() - startedMs >= killAfterMs, { describe: 'the moment to kill' });
      }
      await victim.kill();
    }
    const next = demo({}, 'start');
    const { url, graphql } = await next.ready();
    expect(next.stdout()).toBe(`millrace ready url=${url} graphql=${graphql}\n`);
    expect(await next.interrupt()).toBe(0);
  });

  // `start` is for real use: what it prints goes into the logs of whatever runs it.
  test('starts in production, LANG and HOME unset, without a tenant or a token until its commands make them', async () => {
    const fresh = join(dataDir, 'bare');
    const env = { MILLRACE_DATA_DIR: fresh, NODE_ENV: 'production', LANG: '', LC_ALL: '', HOME: '' };
    const program = demo(env, 'start');
    const { url, graphql } = await program.ready();
    expect(program.stdout()).toBe(`millrace ready url=${url} graphql=${graphql}\n`);
    const commands = await waitFor(
      () => {
        const found = [...program.stderr().matchAll(/npx millrace ((?:tenant|token) create .*)$/gm)];
        return found.length === 2 && found.map(([, words]) => (words as string).trim().split(/\s+/));
      },
      { describe: () => `the two commands:\n${program.stderr().slice(-2000)}` },
    );
    expect(program.stderr()).not.toMatch(/eyJ|mr_/);
    const run = async (args: readonly string[]) => {
      const command = startProgram('src/main.ts', args, env);
      programs.push(command);
      return { code: await command.ended(), out: command.stdout().trim(), err: command.stderr() };
    };
    expect(await run(['key', 'list', '--tenant', 'demo'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no tenant "demo"'),
    });
    const [tenant, token] = [await run(commands[0] ?? []), await run(commands[1] ?? [])];
    expect([tenant.code, token.code], tenant.err + token.err).toEqual([0, 0]);
    const { viewer } = await callApi<{ viewer: { role: string } }>(
      { graphqlUrl: graphql, token: token.out },
      '{ viewer { role } }',
    );
    expect(viewer.role).toBe('TENANT_ADMIN');
    expect(await program.interrupt()).toBe(0);
  });

  test('reports every problem of its configuration and starts nothing', async () => {
    const program = demo({ PORT: 'x', MILLRACE_CONCURRENCY: '0' });
    expect(await program.ended()).toBe(1);
    expect(program.stderr()).toMatch(/PORT[\s\S]*MILLRACE_CONCURRENCY/);
  });
});
