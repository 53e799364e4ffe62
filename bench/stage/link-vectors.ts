import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { offlineEmbedder } from '../../src/domains/links/embedding/offline-embedder.ts';

const FOLDER = new URL('../../node_modules/.cache/millrace/', import.meta.url);
const DIMENSIONS = 512;

/**
 * The vectors of texts by the offline model. It takes minutes for 100,000, so they are kept beside the packages for the next run with the same texts.
 * @param say is given a line now and then
 */
export async function vectorsOf(
  texts: readonly string[],
  say: (line: string) => void,
): Promise<readonly Float32Array[]> {
  const key = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);
  const file = new URL(`link-vectors-${key}.f32`, FOLDER);
  const kept = await readFile(file).catch(() => null);
  if (kept !== null) return split(new Float32Array(kept.buffer, kept.byteOffset, kept.length / 4));
  const all = new Float32Array(texts.length * DIMENSIONS);
  for (const [index, text] of texts.entries()) {
    const [vector] = await offlineEmbedder.embed([text]);
    all.set(vector as Float32Array, index * DIMENSIONS);
    if (index % 10_000 === 9_999) say(`${index + 1} of ${texts.length} texts are embedded`);
  }
  await mkdir(FOLDER, { recursive: true });
  const partial = new URL(`${file.href}.${process.pid}`);
  await writeFile(partial, Buffer.from(all.buffer));
  await rename(partial, file);
  return split(all);
}

function split(all: Float32Array): readonly Float32Array[] {
  return Array.from({ length: all.length / DIMENSIONS }, (_, index) =>
    all.subarray(index * DIMENSIONS, (index + 1) * DIMENSIONS),
  );
}
