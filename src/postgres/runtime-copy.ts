import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { parseJson } from '../core/parse-json.ts';
import { systemCode } from './errors.ts';

const COPIES_AT_ONCE = 16;
const ABANDONED_AFTER_MS = 3_600_000;
const PLACE_ROUNDS = 10;

/**
 * Makes the links between shared libraries that npm packages can't carry. The package does it in an install
 * script; with `--ignore-scripts`, or in a copy, it is up to us. Links that exist are left alone.
 *
 * @throws the system's error when the directory can't be written
 */
export async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = parseJson(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    // The list counts from the directory above: `native/lib/libpq.so.5.18`.
    const from = join(dirname(root), target);
    await symlink(relative(dirname(target), source), from).catch((caught: unknown) => {
      if (systemCode(caught) !== 'EEXIST') throw caught;
    });
  }
}

/**
 * Puts a copy of the programs at `target`, readable by every user of the machine. A complete copy of the same
 * files is kept, however many make one at once; a half-made or different one is replaced. The copy is made
 * beside its place and renamed, so nobody ever sees a half one.
 */
export async function copyRuntime(root: string, target: string): Promise<void> {
  const wanted = await filesIn(root);
  if (await holds(target, wanted)) return;

  const fresh = `${target}.new-${randomBytes(6).toString('hex')}`;
  try {
    await copyFiles(root, join(fresh, basename(root)), wanted);
    await linkLibraries(join(fresh, basename(root)));
    await mkdir(dirname(target), { recursive: true });
    await takePlace(join(fresh, basename(root)), target, wanted);
    await removeAbandoned(dirname(target));
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/**
 * Renames `fresh` to `target` unless a complete copy stands there by then: somebody may already run its
 * programs, so it must not go away even for a moment. What is not complete goes aside first, since a
 * directory can't be renamed over one with files in it. Should a rival's good copy have come in just before
 * that, it is put back.
 */
async function takePlace(fresh: string, target: string, wanted: FileSizes): Promise<void> {
  for (let round = 1; round <= PLACE_ROUNDS; round++) {
    try {
      return await rename(fresh, target);
    } catch (caught) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(systemCode(caught) ?? '')) throw caught;
    }
    if (await holds(target, wanted)) return;
    const old = `${target}.old-${randomBytes(6).toString('hex')}`;
    await rename(target, old).catch(ignoreMissing);
    if (await holds(old, wanted)) await rename(old, target).catch(() => undefined);
    await rm(old, { recursive: true, force: true });
  }
  throw new Error(`The place ${target} was taken by others in each of ${PLACE_ROUNDS} tries.`);
}

// What a killed copy left. Younger ones may belong to somebody who is copying right now.
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!/^postgres-.+\.(new|old)-[0-9a-f]{12}$/.test(name)) continue;
    const path = join(directory, name);
    const info = await stat(path).catch(() => undefined);
    if (info !== undefined && Date.now() - info.mtimeMs > ABANDONED_AFTER_MS) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

type FileSizes = ReadonlyMap<string, number>;

/** Sizes in bytes of the regular files that a running server needs, by path below `root`. */
async function filesIn(root: string): Promise<FileSizes> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.a'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split(sep).includes('pkgconfig'));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(join(root, path))).size));
  return new Map(paths.map((path, index) => [path, sizes[index] ?? -1]));
}

async function holds(target: string, wanted: FileSizes): Promise<boolean> {
  const found = await filesIn(target).catch(() => undefined);
  if (found === undefined || found.size !== wanted.size) return false;
  for (const [path, sizeBytes] of wanted) if (found.get(path) !== sizeBytes) return false;
  return true;
}

async function copyFiles(from: string, to: string, files: FileSizes): Promise<void> {
  const directories = new Set([...files.keys()].map((path) => dirname(join(to, path))));
  for (const directory of directories) await mkdir(directory, { recursive: true });
  const waiting = [...files.keys()];
  const copyNext = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      await copyFile(join(from, path), join(to, path));
      // Whatever the umask of this process and the modes that the package manager left.
      await chmod(join(to, path), /^(bin|lib)$/.test(path.split(sep)[0] ?? '') ? 0o755 : 0o644);
    }
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, copyNext));
  for (const directory of await allDirectories(to)) await chmod(directory, 0o755);
}

async function allDirectories(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return [
    root,
    ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name)),
  ];
}

function ignoreMissing(caught: unknown): void {
  if (systemCode(caught) !== 'ENOENT') throw caught;
}
