import { parseJson } from './parse-json.ts';

const native = JSON.parse;

/**
 * Makes JSON.parse of this process read keys as `parseJson` does, for libraries that cannot be given a
 * function: Prisma reads JSON columns by it.
 * For processes of our own: what is imported into somebody's program leaves its globals alone.
 */
export function repairJsonParse(): void {
  JSON.parse = (text, reviver) => (reviver === undefined ? parseJson(String(text)) : native(text, reviver));
}
