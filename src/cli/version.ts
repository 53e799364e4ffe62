import { readFile } from 'node:fs/promises';

// From the sources and from dist/, which lies a folder deeper.
const PLACES = ['../../package.json', '../../../package.json'];

/** The version of this program, from its package. */
export async function readVersion(): Promise<string> {
  for (const place of PLACES) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => null);
    if (text === null) continue;
    const { name, version } = JSON.parse(text) as { readonly name?: string; readonly version?: string };
    if (name === 'millrace' && version !== undefined) return version;
  }
  throw new Error('The package.json of millrace is not where it should be.');
}
