import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ignoredBy } from '../../scripts/dockerfile/ignore.ts';
import { parseDockerfile } from '../../scripts/dockerfile/parse.ts';
import { simulate } from '../../scripts/dockerfile/simulate.ts';
import { plant, repository } from './planted.ts';

/**
 * Carries out a Dockerfile over these files; what it wrote can be read in the returned folder until `planted`
 * ends.
 */
function carryOut(folder: string, dockerfile: string) {
  const log: string[] = [];
  const result = simulate(parseDockerfile(dockerfile), {
    contextFolder: folder,
    workFolder: join(folder, '.work'),
    env: { PATH: '/usr/bin:/bin' },
    log: (line) => log.push(line),
    runTimeoutMs: 20_000,
  });
  return { ...result, log };
}

describe('the Dockerfile', () => {
  it('builds in stages, ends as an unprivileged user, and can be asked for its health', async () => {
    const stages = parseDockerfile(await readFile(join(repository, 'Dockerfile'), 'utf8'));
    expect(stages.map(({ name, image }) => [name, image])).toEqual([
      ['build', 'node:24.21.0-slim'],
      ['1', 'node:24.21.0-slim'],
    ]);
    const last = stages.at(-1)?.instructions ?? [];
    const textOf = (keyword: string) => last.find((instruction) => instruction.keyword === keyword)?.text;
    expect(textOf('USER')).toBe('node');
    expect(textOf('HEALTHCHECK')).toContain('/health/live');
    expect(textOf('CMD')).toBe('["node", "src/server.ts"]');
    expect(last.filter(({ keyword }) => keyword === 'RUN').map(({ text }) => text)).toContainEqual(
      expect.stringContaining('ffmpeg'),
    );
  });

  it('is built from a context without secrets, data, tests and installed packages', async () => {
    const isIgnored = ignoredBy(await readFile(join(repository, '.dockerignore'), 'utf8'));
    for (const path of [
      '.env',
      '.millrace/data/PG_VERSION',
      '.git/config',
      'test/a.test.ts',
      'node_modules/pg/package.json',
      'src/generated/prisma/client.ts',
    ]) {
      expect(isIgnored(path), path).toBe(true);
    }
    for (const path of [
      'package-lock.json',
      'src/core/ids.ts',
      'workers/main.ts',
      'prisma/schema.prisma',
      'scripts/generate.ts',
    ]) {
      expect(isIgnored(path), path).toBe(false);
    }
  });
});

describe('carrying out a Dockerfile without an engine', () => {
  const FILES = { 'app/one.txt': 'one', 'app/secret.txt': 'secret', '.dockerignore': '**/secret.txt\n' };

  it('runs its lines in order, in the working folder, with what was copied and set', async () => {
    await using planted = await plant([], FILES);
    const { folder, env } = carryOut(
      planted.folder,
      [
        'FROM base AS build',
        'WORKDIR /app',
        'COPY app ./in',
        'RUN cat in/one.txt > out.txt \\',
        '  # a comment between',
        '  && ls in >> out.txt',
        'FROM base',
        'ENV GREETING=hello PORT=1',
        'WORKDIR /srv',
        'COPY --from=build /app/out.txt ./',
        'RUN echo "$GREETING" >> out.txt',
      ].join('\n'),
    );
    expect(await readFile(join(folder, 'out.txt'), 'utf8')).toBe('oneone.txt\nhello\n');
    expect(env).toEqual({ GREETING: 'hello', PORT: '1' });
  });

  it.runIf(process.getuid?.() === 0)(
    'runs them as an unprivileged user although root started it',
    async () => {
      await using planted = await plant([], FILES);
      const { folder } = carryOut(planted.folder, 'FROM base\nWORKDIR /app\nRUN id -u > who.txt\n');
      expect(await readFile(join(folder, 'who.txt'), 'utf8')).not.toBe('0\n');
    },
  );

  it('leaves out what needs root and says so', async () => {
    await using planted = await plant([], FILES);
    const { log } = carryOut(
      planted.folder,
      'FROM base\nRUN apt-get install -y x\nRUN useradd millrace\nRUN true\n',
    );
    expect(log.map((line) => line.replace(/ran in .* s/, 'ran'))).toEqual([
      'line 2: skipped, installs system packages, which needs root: apt-get install -y x',
      'line 3: skipped, makes a user, which needs root: useradd millrace',
      'line 4: ran: true',
    ]);
  });

  it.each([
    ['a command that fails', 'RUN echo broken >&2; false', /line 2: RUN .*status 1\nbroken/],
    [
      'a file that is not in the context',
      'COPY nowhere ./',
      /line 2: COPY nowhere: not in the build context/,
    ],
    ['a file that .dockerignore leaves out', 'COPY app/secret.txt ./', /not in the build context/],
    ['a stage that does not exist', 'COPY --from=none /a ./', /no such stage/],
    ['an instruction that does not exist', 'RUNN true', /line 2: unknown instruction RUNN/],
  ])('fails on %s', async (_, line, message) => {
    await using planted = await plant([], FILES);
    expect(() => carryOut(planted.folder, `FROM base\n${line}\n`)).toThrow(message);
  });
});
