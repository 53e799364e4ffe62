import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { offlineEmbedder } from '../../src/domains/links/embedding/offline-embedder.ts';

const FOLDER = new URL('../../node_modules/.cache/millrace/', import.meta.url);
const DIMENSIONS = 512;
/** Embedding 100,000 takes the offline model 45 minutes of a core. */
const EMBEDDED = 12_000;

/**
 * The vectors of texts: of the first 12,000 by the offline model, which takes minutes, so they are kept
 * beside the packages for the next run with the same texts; each of the others lies between two of these,
 * which makes the nearest harder to find than among real ones.
 * @param say is given a line now and then
 */
export async function vectorsOf(
  texts: readonly string[],
  say: (line: string) => void,
): Promise<readonly Float32Array[]> {
  const embedded = await embeddedOrKept(texts.slice(0, EMBEDDED), say);
  return texts.map((_text, index) => embedded[index] ?? between(embedded, index));
}

/** The middle of two, in a direction of length 1; which two is fixed, so that each run has the same. */
function between(vectors: readonly Float32Array[], index: number): Float32Array {
  const at = (place: number) => vectors[place % vectors.length] as Float32Array;
  const [one, other] = [at(index * 7_919), at(index * 104_729 + 1)];
  const share = 0.3 + 0.4 * ((index % 97) / 97);
  const mixed = one.map((value, place) => share * value + (1 - share) * (other[place] ?? 0));
  const length = Math.hypot(...mixed);
  return mixed.map((value) => value / length);
}

async function embeddedOrKept(
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
    if (index % 4_000 === 3_999) say(`${index + 1} of ${texts.length} texts are embedded`);
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
