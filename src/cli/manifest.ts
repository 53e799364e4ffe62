import { readFile } from 'node:fs/promises';
import { parseJson } from '../core/parse-json.ts';

/** The fields of this program's package.json that it reads itself. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Where this program's package lies: the repository, or `node_modules/millrace`. */
export const PACKAGE_URL = new URL('../../', import.meta.url);

export async function readManifest(): Promise<Manifest> {
  return parseJson(await readFile(new URL('package.json', PACKAGE_URL), 'utf8')) as Manifest;
}
