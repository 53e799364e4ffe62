import { rotated } from './rotation.ts';

/** Bits of a code: `millrace.link_vectors.code`. */
export const CODE_BITS = 1_024;
/** Bits of a number of the query where codes are weighed. */
const PLANES = 4;
const LEVELS = 2 ** PLANES - 1;

/**
 * The signs of a vector’s numbers after fixed rotations, as text of 0 and 1. Vectors at a small angle have
 * most of them in common, so the number of different bits orders vectors roughly as the angle does. Codes of
 * one version of this function are compared with each other.
 * @param vector of any number of dimensions
 */
export function signCode(vector: Float32Array): string {
  let code = '';
  for (const value of rotated(vector, CODE_BITS)) code += value > 0 ? '1' : '0';
  return code;
}

/** What a query weighs codes by. */
export interface CodeWeights {
  /** One bit of each weight: those worth 8, 4, 2 and 1, each as text of 0 and 1. */
  readonly planes: readonly string[];
  /** What every set bit is worth beside its weight. */
  readonly offset: number;
}

/**
 * What each bit says about a query: a number near a plane says little, one far from it much. The sum of the
 * weights of a code’s set bits orders vectors nearly as the cosine does; of the signs alone a query knows
 * half of that.
 */
export function codeWeights(vector: Float32Array): CodeWeights {
  const numbers = rotated(vector, CODE_BITS);
  const least = numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const step = (most - least) / LEVELS || 1;
  const weights = Array.from(numbers, (value) => Math.round((value - least) / step));
  const planes = Array.from({ length: PLANES }, (_, plane) =>
    weights.map((weight) => (weight >> (PLANES - 1 - plane)) & 1).join(''),
  );
  return { planes, offset: least / step };
}
