import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeMedia } from './media.ts';

let count = 0;

/**
 * A digest of what is in a segment of a stream: each picture and each piece of sound, decoded, with its time.
 * Two runs of the encoder over one source agree in it, whatever else the machine does. They mostly agree in
 * their bytes too, but libx264 with more than one thread may write the same picture in two ways [measured:
 * one packet of 400, in one run of twelve that were stopped and woken].
 * @param directory for files that are removed again
 */
export async function decodedDigest(directory: string, segment: Buffer): Promise<string> {
  const name = `decoded-${process.pid}-${++count}`;
  await writeFile(join(directory, `${name}.ts`), segment);
  const made = await makeMedia(directory, ['-i', `${name}.ts`, '-map', '0', '-f', 'framemd5', name]);
  try {
    return createHash('sha256')
      .update(await readFile(made))
      .digest('hex');
  } finally {
    await rm(made);
    await rm(join(directory, `${name}.ts`));
  }
}
