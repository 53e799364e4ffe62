/** Bits of a code. */
export const CODE_BITS = 512;

/**
 * The sides of 512 planes through the origin on which a vector lies, as text of 0 and 1. Vectors at a small angle lie on the same side of most, so
 * the number of different bits orders vectors roughly as the angle does. The planes are fixed: codes of one version of this function are
 * compared with each other.
 * @param vector of any number of dimensions
 */
export function signCode(vector: Float32Array): string {
  let code = '';
  for (let bit = 0; bit < CODE_BITS; bit++) code += sideOf(vector, bit) > 0 ? '1' : '0';
  return code;
}

/** Planes whose normals hold 1 and -1 alone need no multiplication, and serve as well as others. */
function sideOf(vector: Float32Array, bit: number): number {
  let sum = 0;
  let state = (bit + 1) * 0x9e3779b1;
  let signs = 0;
  for (let index = 0; index < vector.length; index++) {
    if (index % 32 === 0) {
      // xorshift32: 32 signs a step.
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      signs = Math.imul(state, 0x85ebca6b) ^ (state >>> 13);
    }
    sum += (signs >>> (index % 32)) & 1 ? (vector[index] ?? 0) : -(vector[index] ?? 0);
  }
  return sum;
}
