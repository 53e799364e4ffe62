import { describe, expect, it } from 'vitest';
import { readSourceFiles } from '../../scripts/checks/source-files.ts';
import { findSourceProblems } from '../../scripts/checks/source-rules.ts';
import { plant } from './planted.ts';

const problemsOf = (path: string, text: string) => findSourceProblems([{ path, text }]);

describe('the rules about source files', () => {
  it('refuse a source file of more than 300 lines and allow one of exactly 300', () => {
    expect(problemsOf('src/jobs/enqueue.ts', 'x;\n'.repeat(300))).toEqual([]);
    expect(problemsOf('src/jobs/enqueue.ts', 'x;\n'.repeat(301))).toEqual([
      'src/jobs/enqueue.ts: has 301 lines; at most 300 are allowed: split it by idea',
    ]);
  });

  it('let a test be longer than a source file, up to 400 lines', () => {
    expect(problemsOf('test/jobs/enqueue.test.ts', 'x;\n'.repeat(400))).toEqual([]);
    expect(problemsOf('test/jobs/enqueue.test.ts', 'x;\n'.repeat(401))).toHaveLength(1);
  });

  it.each(['src/utils/time.ts', 'src/jobs/helpers.ts', 'workers/common/log.ts', 'src/db/misc.ts'])(
    'refuse the bucket %s',
    (path) => {
      expect(problemsOf(path, '')).toHaveLength(1);
    },
  );

  it('refuse SQL outside src/db, with the line', () => {
    const text = 'const a = 1;\nawait pool.query(`select 1`);\nawait prisma.$queryRaw`select 1`;\n';
    expect(problemsOf('src/jobs/enqueue.ts', text)).toEqual([
      'src/jobs/enqueue.ts: line 2 runs SQL; statements belong in src/db/sql',
      'src/jobs/enqueue.ts: line 3 runs SQL; statements belong in src/db/sql',
    ]);
    expect(problemsOf('src/db/pool.ts', text)).toEqual([]);
  });

  it('refuse JSON.parse on the server, with the line, and allow it in the client', () => {
    const text = 'const a = 1;\nreturn JSON.parse(text);\n';
    expect(problemsOf('workers/handlers/report.ts', text)).toEqual([
      'workers/handlers/report.ts: line 2 calls JSON.parse, which may mistake keys; use parseJson',
    ]);
    expect(problemsOf('src/client/sse-stream.ts', text)).toEqual([]);
  });

  it('ask of a statement that its file, its export and its prepared name agree, and for a header', () => {
    const good =
      "import { statement } from '../statement.ts';\n\n/** Claims. */\nexport const claimJobs = statement('claim_jobs', `select 1`);\n";
    expect(problemsOf('src/db/sql/claim-jobs.ts', good)).toEqual([]);
    expect(problemsOf('src/db/sql/take-jobs.ts', good)).toEqual([
      'src/db/sql/take-jobs.ts: does not export takeJobs, the name that its file name promises',
      "src/db/sql/take-jobs.ts: does not name its statement 'take_jobs'",
    ]);
    expect(problemsOf('src/db/sql/claim-jobs.ts', good.replace('/** Claims. */\n', ''))).toEqual([
      'src/db/sql/claim-jobs.ts: has no header comment (purpose, locks, index)',
    ]);
  });

  it('ask of a test for a title that is a sentence, with those of its groups', () => {
    const test = (group: string, title: string) =>
      `describe('${group}', () => {\n  it('${title}', () => {});\n});\nit.each([\n  1,\n])('%s', () => {});\n`;
    expect(problemsOf('test/jobs/a.test.ts', test('a claim', 'takes the oldest'))).toEqual([]);
    expect(problemsOf('test/jobs/a.test.ts', test('claim', 'works'))).toEqual([
      'test/jobs/a.test.ts: line 2 has the title "claim works"; a title is a whole sentence',
    ]);
  });

  const limit = '60_000';
  it.each([`}, ${limit});`, `page.setDefaultTimeout(${limit})`, `expect.poll(look, { timeout: ${limit} })`])(
    'refuse a test’s own time limit: %s',
    (line) => {
      for (const path of ['test/jobs/enqueue.test.ts', 'test/console/journeys.ts'])
        expect(problemsOf(path, `${line}\n`)).toEqual([
          `${path}: line 1 sets a time limit of its own: a slower machine would break it`,
        ]);
      expect(problemsOf('bench/drain.ts', `${line}\n`)).toEqual([]);
    },
  );

  it('refuse places of one machine and registries of one network', () => {
    const place = ['', 'home', 'someone', 'millrace'].join('/');
    expect(problemsOf('docs/start.md', `cd ${place}\n`)).toEqual([
      'docs/start.md: line 1 names a folder of one machine',
    ]);
    expect(problemsOf('.npmrc', 'registry=https://packages.example.com/\n')).toEqual([
      '.npmrc: sets a package registry',
    ]);
    expect(problemsOf('package-lock.json', '"resolved": "https://packages.example.com/a.tgz"')).toEqual([
      'package-lock.json: names a package registry other than the public one',
    ]);
  });

  it('find such files on disk but do not look into installed or generated folders', async () => {
    await using planted = await plant([], {
      'src/jobs/utils.ts': '',
      'src/generated/prisma/utils.ts': '',
      '.millrace/utils.ts': '',
      'docs/notes.md': '',
    });
    expect(readSourceFiles(planted.folder).map((file) => file.path)).toEqual([
      'docs/notes.md',
      'src/jobs/utils.ts',
    ]);
  });
});
