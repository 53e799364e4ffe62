import { readdir, stat } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { extname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JobDefinition } from '../src/core/definition.ts';
import { DomainError, toError } from '../src/core/errors.ts';
import type { Registration } from './handler.ts';
import { checkUserJobs, isRegistration, type UserJob } from './user-jobs.ts';

const MODULE = /^[^_.].*\.(?:m?[jt]s)$/;
const NO_MODULE = /\.(?:d|test|spec)\.m?[jt]s$/;
const EXPORT = 'export default job(definition, handler)';

/**
 * Loads a user's own jobs: every module of a folder, or the one that is named. Files in folders below it are
 * the user's to import, and so are those whose name begins with `_`.
 * @param path as configured, from the current directory
 * @throws DomainError `ConfigInvalid` when there is nothing at that path · `RegistryInvalid` that lists every
 *   problem with its file
 */
export async function loadUserHandlers(
  path: string,
  shipped: readonly JobDefinition[],
): Promise<readonly Registration[]> {
  const files = await modulesAt(path);
  useOwnPackage();
  const jobs: UserJob[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const where = relative(process.cwd(), file) || file;
    try {
      jobs.push(...(await jobsOf(file, where)));
    } catch (error) {
      problems.push(`${where}: ${toError(error).message}`);
    }
  }
  if (problems.length === 0) return checkUserJobs(jobs, shipped);
  throw new DomainError('RegistryInvalid', `MILLRACE_HANDLERS:\n  ${problems.join('\n  ')}`, {
    field: 'MILLRACE_HANDLERS',
    problems,
    allowed: EXPORT,
  });
}

async function modulesAt(path: string): Promise<readonly string[]> {
  const absolute = resolve(path);
  const info = await stat(absolute).catch(() => null);
  if (info?.isFile() === true) return [absolute];
  if (info?.isDirectory() !== true) throw refused(path, `there is nothing at ${absolute}`);
  const names = (await readdir(absolute)).filter((name) => MODULE.test(name) && !NO_MODULE.test(name));
  if (names.length === 0) throw refused(path, `${absolute} has no .ts, .mts, .js or .mjs file`);
  return names.sort().map((name) => resolve(absolute, name));
}

async function jobsOf(file: string, where: string): Promise<readonly UserJob[]> {
  const loaded = await load(file);
  const given = 'default' in loaded ? [loaded['default']].flat() : [];
  const named = Object.entries(loaded).filter(
    ([name, value]) => name !== 'default' && isRegistration(value) && !given.includes(value),
  );
  if (given.length + named.length === 0) throw new Error(`exports no job; allowed: ${EXPORT}`);
  return [
    ...given.map((value) => ({ where, value })),
    ...named.map(([name, value]) => ({ where: `${where} (${name})`, value })),
  ];
}

async function load(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    const error = toError(thrown);
    throw new Error(`does not load: ${error.name}: ${error.message}`, { cause: error });
  }
}

let usesOwnPackage = false;

/**
 * `import … from 'millrace'` gives this very program, wherever the folder lies and whatever is installed
 * there: a second copy's `PermanentError` would be another class than the one that the runtime looks for.
 */
function useOwnPackage(): void {
  if (usesOwnPackage) return;
  usesOwnPackage = true;
  const own = new URL(`../src/package/index${extname(import.meta.filename)}`, import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'millrace' ? { url: own, shortCircuit: true } : next(specifier, context),
  });
}

function refused(path: string, why: string): DomainError {
  const allowed = 'a folder of modules that export jobs, or one such module';
  return new DomainError(
    'ConfigInvalid',
    `MILLRACE_HANDLERS is ${JSON.stringify(path)}, but ${why}; allowed: ${allowed}.`,
    { field: 'MILLRACE_HANDLERS', allowed },
  );
}
