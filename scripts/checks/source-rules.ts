import { lineWidth } from '../width/line-width.ts';
import { plainWords } from './plain-words.ts';
import type { SourceFile } from './source-files.ts';
import { testTitles } from './test-titles.ts';

/** Looks at one file; returns what is wrong with it, each as one line without the file's name. */
type Rule = (file: SourceFile) => string[];

const MAX_LINES = 300;
/** Tests hold tables of cases, which read better whole. */
const MAX_TEST_LINES = 400;

const fileLength: Rule = ({ path, text }) => {
  if (!/\.tsx?$/.test(path) || path.endsWith('.gen.ts')) return [];
  const max = /^(test|bench)\//.test(path) ? MAX_TEST_LINES : MAX_LINES;
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines > max ? [`has ${lines} lines; at most ${max} are allowed: split it by idea`] : [];
};

/** Names that say nothing about what is inside attract everything. */
const BUCKET = /(^|\/)(utils?|helpers?|common|misc|shared)(\/|\.[a-z.]+$)/;

const forbiddenName: Rule = ({ path }) =>
  /\.tsx?$/.test(path) && BUCKET.test(path)
    ? ['is named after no idea (utils, helpers, common, misc, shared)']
    : [];

/**
 * Statements live in src/db and in the `sql` folders of domains, one a file, so that a line in a log or in
 * pg_stat_statements leads to its file.
 */
const SQL_CALL = /\.query\(\s*[`'"{]|\$(queryRaw|executeRaw)/;

const sqlOutsideDb: Rule = ({ path, text }) => {
  if (!/^(src|workers)\//.test(path) || /^src\/(db|postgres)\//.test(path)) return [];
  return lineNumbers(text, SQL_CALL).map((line) => `line ${line} runs SQL; statements belong in src/db/sql`);
};

/** `claim-jobs.ts` exports `claimJobs` and its prepared statement is called `claim_jobs`. */
const statementName: Rule = ({ path, text }) => {
  const base = /^src\/(?:db|domains\/[a-z-]+)\/sql\/(?:.+\/)?([a-z0-9-]+)\.ts$/.exec(path)?.[1];
  if (base === undefined) return [];
  const exported = base.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const prepared = base.replaceAll('-', '_');
  const problems: string[] = [];
  if (!new RegExp(`export (const|function|async function) ${exported}\\b`).test(text)) {
    problems.push(`does not export ${exported}, the name that its file name promises`);
  }
  if (!new RegExp(`['"\`]${prepared}['"\`]`).test(text)) {
    problems.push(`does not name its statement '${prepared}'`);
  }
  if (!/^(import[^;]*;\s*)*\/\*\*/.test(text)) problems.push('has no header comment (purpose, locks, index)');
  return problems;
};

/**
 * Texts of users are read by `parseJson`. What the client, its hooks and a page's script read is in their
 * users' programs.
 */
const NATIVE_READER = /\bJSON\.parse\(/;
const READS_NATIVELY =
  /^src\/(client|react|generated)\/|^src\/graphql\/graphiql-state\.ts$|^src\/core\/(parse|repair)-json(-parse)?\.ts$/;

const jsonReader: Rule = ({ path, text }) => {
  if (!/^(src|workers)\//.test(path) || READS_NATIVELY.test(path)) return [];
  return lineNumbers(text, NATIVE_READER).map(
    (line) => `line ${line} calls JSON.parse, which may mistake keys; use parseJson`,
  );
};

/**
 * How long a test, a hook or a wait may last says `vitest.config.ts` and `test/support/wait.ts`: a limit of
 * one test's own was a guess of how fast the machine is. From a minute on, as shorter times are mostly of
 * what is tested.
 */
const OWN_LIMIT = /^\s*\}, \d{2,3}_000\);$|\btimeout: \d{2,3}_000\b|\bsetDefaultTimeout\(\d/;

const ownLimit: Rule = ({ path, text }) =>
  path.startsWith('test/')
    ? lineNumbers(text, OWN_LIMIT).map(
        (line) => `line ${line} sets a time limit of its own: a slower machine would break it`,
      )
    : [];

/** Places of one developer's machine; an installed copy runs anywhere. */
const OWN_MACHINE = /(^|[\s'"`(=:])\/(home|Users|work|workspace)\/[A-Za-z0-9_.-]+/;

const ownMachine: Rule = ({ path, text }) =>
  lineNumbers(text, OWN_MACHINE)
    .map((line) => `line ${line} names a folder of one machine`)
    .concat(
      path === '.npmrc' && /^\s*(@[^:]+:)?registry\s*=/m.test(text) ? ['sets a package registry'] : [],
      path === 'package-lock.json' && foreignRegistry(text)
        ? ['names a package registry other than the public one']
        : [],
    );

function foreignRegistry(lockfile: string): boolean {
  return /"resolved": "(?!https:\/\/registry\.npmjs\.org\/)[a-z+]+:/.test(lockfile);
}

function lineNumbers(text: string, pattern: RegExp): number[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
}

const RULES: readonly Rule[] = [
  ownLimit,
  fileLength,
  forbiddenName,
  sqlOutsideDb,
  jsonReader,
  statementName,
  ownMachine,
  plainWords,
  lineWidth,
  testTitles,
];

/** Everything that is wrong with these files, one line each: `path: problem`. */
export function findSourceProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    RULES.flatMap((rule) => rule(file)).map((problem) => `${file.path}: ${problem}`),
  );
}
