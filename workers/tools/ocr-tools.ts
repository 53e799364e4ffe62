import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { DomainError } from '../../src/core/errors.ts';
import { LANGUAGE_PATTERN } from '../../src/core/languages.ts';
import { parseJson } from '../../src/core/parse-json.ts';
import type { OcrTools } from '../handler.ts';
import { runProcess } from './process.ts';
import { programsIn } from './search-path.ts';

export interface OcrToolsOptions {
  /** Configured path (TESSERACT_PATH); one that does not work is an error, not a reason to look elsewhere. */
  readonly tesseractPath: string | null;
  /** Folders to search, in the form of PATH. */
  readonly searchPath: string | null;
}

const TIMEOUT_MS = 20_000;
const MIN_MAJOR = 4;
const ALLOWED =
  'a tesseract of version 4 or newer in PATH, its absolute path in TESSERACT_PATH, or tesseract.js (npx millrace install media)';
/** Languages of which there are npm packages beside tesseract.js. */
const NPM_LANGUAGES = ['eng', 'deu', 'fra'] as const;

/**
 * Finds what reads texts: tesseract as configured, else of version 4 or newer in the search path, else
 * tesseract.js from npm, which needs about twice the time.
 * @throws DomainError `ToolMissing` that says where was looked and what to do
 */
export async function findOcrTools(options: OcrToolsOptions): Promise<OcrTools> {
  const { tesseractPath, searchPath } = options;
  if (tesseractPath !== null) {
    const found = isAbsolute(tesseractPath) ? await programAt(tesseractPath) : 'is not an absolute path';
    if (typeof found !== 'string') return found;
    throw missing(`TESSERACT_PATH is ${JSON.stringify(tesseractPath)}, which ${found}`);
  }
  for await (const path of programsIn(searchPath, 'tesseract')) {
    const found = await programAt(path);
    if (typeof found !== 'string') return found;
  }
  const npm = await fromNpm();
  if (npm !== null) return npm;
  throw missing('looked in PATH and for the npm package');
}

/** The program, or why there is none, in words that go after the path. */
async function programAt(path: string): Promise<OcrTools | string> {
  const run = (...args: readonly string[]) =>
    runProcess({ file: path, args, cwd: '/', timeoutMs: TIMEOUT_MS });
  const { end, stdout, stderr } = await run('--version');
  if (end.how === 'notStarted') return `cannot be run (${end.error.message})`;
  // Version 4 says it on stderr.
  const version = /^tesseract v?(\d+)(\.[\w.-]+)?/m.exec(`${stdout}\n${stderr}`);
  if (end.how !== 'exited' || end.exitCode !== 0 || version === null) return 'does not answer to --version';
  if (Number(version[1]) < MIN_MAJOR) return `is version ${version[1]}, older than ${MIN_MAJOR}`;
  const listed = await run('--list-langs');
  const languages = `${listed.stdout}\n${listed.stderr}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => LANGUAGE_PATTERN.test(line) && line !== 'osd');
  if (languages.length === 0) return 'has no language data';
  return { engine: 'tesseract', version: `${version[1]}${version[2] ?? ''}`, path, languages };
}

async function fromNpm(): Promise<OcrTools | null> {
  const require = createRequire(import.meta.url);
  try {
    const manifest = await readFile(require.resolve('tesseract.js/package.json'), 'utf8');
    const { version } = parseJson(manifest) as { version: string };
    const languages = NPM_LANGUAGES.filter((language) => npmDataPath(language) !== null);
    return languages.length === 0 ? null : { engine: 'tesseract.js', version, path: null, languages };
  } catch {
    return null;
  }
}

/** Where npm's data of a language lies, gzipped; null without it. `best_int` reads best, and fast enough. */
export function npmDataPath(language: string): string | null {
  try {
    const folder = createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/package.json`);
    return join(folder, '..', '4.0.0_best_int', `${language}.traineddata.gz`);
  } catch {
    return null;
  }
}

function missing(message: string): DomainError {
  return new DomainError('ToolMissing', `No usable tesseract: ${message}. Needed: ${ALLOWED}`, {
    field: 'TESSERACT_PATH',
    allowed: ALLOWED,
  });
}
