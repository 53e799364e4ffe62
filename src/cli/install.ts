import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DomainError } from '../core/errors.ts';
import { PART_NAMES, PARTS, type Part } from '../core/parts.ts';
import { missingPackages, specifierOf } from './installed-parts.ts';
import { PACKAGE_URL, readManifest } from './manifest.ts';

export const INSTALL_USAGE = `millrace install [${PART_NAMES.join('] [')}]

Installs parts that the package uses but does not bring, into the project that it is installed in:
${PART_NAMES.map((part) => `  ${part.padEnd(10)} ${PARTS[part].purpose}`).join('\n')}
Without a name it lists them and what is installed.
`;

/**
 * The command `install`.
 * @throws DomainError `InvalidArgument` for a part that does not exist · `ToolMissing` when npm fails or may
 *   not be asked
 */
export async function runInstall(names: readonly string[]): Promise<void> {
  if (names.length === 0) {
    process.stdout.write(PART_NAMES.map((part) => `${describe(part)}\n`).join(''));
    return;
  }
  const unknown = names.find((name) => !PART_NAMES.includes(name as Part));
  if (unknown !== undefined) {
    const allowed = PART_NAMES.join(', ');
    throw new DomainError(
      'InvalidArgument',
      `There is no part ${JSON.stringify(unknown)}. Allowed: ${allowed}`,
      { allowed },
    );
  }
  await installParts(names as readonly Part[]);
}

/**
 * Installs what is missing of these parts with npm, into the project that this package is installed in. Does
 * nothing when all is there.
 * @throws DomainError `ToolMissing` with the command to run by hand, when the project is not npm's or npm
 *   fails
 */
export async function installParts(parts: readonly Part[]): Promise<void> {
  const missing = parts.flatMap((part) => missingPackages(part));
  if (missing.length === 0) return;
  const manifest = await readManifest();
  const specifiers = missing.map((name) => specifierOf(name, manifest));
  const byHand = `npm install ${specifiers.join(' ')}`;
  const project = projectFolder();
  if (project === null)
    throw new DomainError('ToolMissing', `Not installed: ${missing.join(', ')}. Run: ${byHand}`);
  process.stderr.write(`Installing ${parts.join(' and ')} into ${project}: ${specifiers.join(' ')}\n`);
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund', ...specifiers], {
    cwd: project,
    // Its output is for people, and stdout is for the ready line.
    stdio: ['ignore', process.stderr, process.stderr],
    // A package manager's programs are scripts there.
    shell: process.platform === 'win32',
  });
  const [code] = await once(npm, 'close').catch((error: Error) => [error.message]);
  const left = parts.flatMap((part) => missingPackages(part));
  if (code !== 0 || left.length > 0)
    throw new DomainError('ToolMissing', `npm did not install ${left.join(', ')} (${code}). Run: ${byHand}`);
}

function describe(part: Part): string {
  const missing = missingPackages(part);
  const state = missing.length === 0 ? 'installed' : `not installed: ${missing.join(', ')}`;
  return `${part.padEnd(10)} ${PARTS[part].purpose}; ${state}`;
}

/**
 * The folder whose node_modules this package lies in, where npm manages it; null in a repository, and where
 * another package manager keeps packages in places of its own.
 */
function projectFolder(): string | null {
  const suffix = `${sep}node_modules${sep}millrace${sep}`;
  const here = fileURLToPath(PACKAGE_URL);
  if (!here.endsWith(suffix)) return null;
  const project = here.slice(0, -suffix.length);
  const isNpm = existsSync(`${project}${sep}node_modules${sep}.package-lock.json`);
  return isNpm && !project.includes(`${sep}node_modules${sep}`) ? project : null;
}
