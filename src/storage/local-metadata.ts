import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseJson } from '../core/parse-json.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from './private-mode.ts';

/**
 * The file that a metadata record describes. A record that describes another file than the present one is
 * ignored.
 */
export interface FileIdentity {
  readonly inode: bigint;
  readonly modifiedNs: bigint;
  readonly sizeBytes: number;
}

export interface LocalMetadata {
  readonly contentType: string;
  /** Absent of what came in pieces: no process has seen all of it. */
  readonly sha256?: string;
}

/**
 * Records the metadata of the file that is about to get the object's name. Object and record cannot change in
 * one atomic step; so the record names its file (inode, time, size) and is only believed while that is the
 * file in place. A crash or a rival between the two steps costs the metadata, never its truth. Hence also no
 * sync here.
 */
export async function writeMetadata(
  root: string,
  key: string,
  file: FileIdentity,
  metadata: LocalMetadata,
): Promise<void> {
  const path = metadataPath(root, key);
  const temporary = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  await writeFile(temporary, JSON.stringify({ file: identityText(file), ...metadata }), {
    mode: PRIVATE_FILE,
  });
  await rename(temporary, path);
}

/** The metadata of the file in place, or null when none is known. */
export async function readMetadata(
  root: string,
  key: string,
  file: FileIdentity,
): Promise<LocalMetadata | null> {
  try {
    const record: unknown = parseJson(await readFile(metadataPath(root, key), 'utf8'));
    return isRecord(record) && record.file === identityText(file) ? record : null;
  } catch {
    return null;
  }
}

export async function deleteMetadata(root: string, key: string): Promise<void> {
  await rm(metadataPath(root, key), { force: true });
}

/** By hash: keys `a` and `a.json/b` would otherwise want a file and a folder of one name. */
function metadataPath(root: string, key: string): string {
  const name = createHash('sha256').update(key).digest('hex');
  return join(root, '.meta', name.slice(0, 2), `${name}.json`);
}

function identityText(file: FileIdentity): string {
  return `${file.inode}:${file.modifiedNs}:${file.sizeBytes}`;
}

function isRecord(value: unknown): value is LocalMetadata & { readonly file: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { file, contentType, sha256 } = value as Record<string, unknown>;
  return (
    typeof file === 'string' &&
    typeof contentType === 'string' &&
    ['string', 'undefined'].includes(typeof sha256)
  );
}
