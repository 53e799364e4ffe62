import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startProgram } from '../support/program.ts';
import { makeTempDir } from '../support/temp-dir.ts';

const GOOD = `import { defineJob, done, job, Type } from 'millrace';
const hello = defineJob({ key: 'hello', payload: Type.Object({}) });
export default job(hello, async () => done());
`;

/** What a worker says that is started with these modules; it never gets to the database. */
async function startedWith(files: Readonly<Record<string, string>>, path = 'jobs'): Promise<string> {
  const folder = await makeTempDir();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const worker = startProgram('workers/main.ts', [], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
    MILLRACE_HANDLERS: join(folder, path),
  });
  expect(await worker.ended()).toBe(1);
  return worker.stderr();
}

describe('a start with MILLRACE_HANDLERS', () => {
  test('lists every module that does not load or exports no job, with its file', async () => {
    const said = await startedWith({
      'jobs/broken.ts': `throw new Error('no such server');\n`,
      'jobs/empty.js': 'export const nothing = 1;\n',
      'jobs/enum.ts': 'export enum Colour { Red }\n',
      'jobs/good.ts': GOOD,
      'jobs/missing.mjs': `import './nowhere.mjs';\n`,
    });
    expect(said).toMatch(/broken\.ts: does not load: Error: no such server/);
    expect(said).toMatch(/empty\.js: exports no job; allowed: export default job\(definition, handler\)/);
    expect(said).toMatch(/enum\.ts: does not load: SyntaxError: .*enum/);
    expect(said).toMatch(/missing\.mjs: does not load: .*nowhere\.mjs/);
    expect(said).not.toContain('good.ts');
  });

  test('names both places of a key that is taken, and the field of a definition that does not hold', async () => {
    const said = await startedWith({
      'jobs/a.ts': GOOD,
      'jobs/b.ts': GOOD,
      'jobs/echo.ts': GOOD.replace(`'hello'`, `'echo'`),
      'jobs/plain.ts': `export default { definition: { key: 'plain', payload: {}, leaseSeconds: 1 }, load: async () => null };\n`,
      'jobs/definition.ts': GOOD.replace(
        'export default job(hello, async () => done())',
        'export default hello',
      ),
    });
    expect(said).toMatch(/b\.ts: the key "hello" is taken by \S*a\.ts; allowed: a key of its own/);
    expect(said).toMatch(/echo\.ts: the key "echo" is taken by one of Millrace's own jobs/);
    expect(said).toMatch(/plain\.ts: Job definition: leaseSeconds is 1, allowed: .*2 to 3600/);
    expect(said).toMatch(/definition\.ts: is a definition without a handler/);
  });

  test('refuses a folder that is not there, and one without modules', async () => {
    expect(await startedWith({}, 'nowhere')).toMatch(
      /MILLRACE_HANDLERS is ".*nowhere", but there is nothing at/,
    );
    expect(await startedWith({ 'jobs/readme.md': '' })).toMatch(/has no \.ts, \.mts, \.js or \.mjs file/);
  });
});
