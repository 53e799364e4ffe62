/** Rounds of signs and butterflies: three mix every number with every other. */
const ROUNDS = 3;

/**
 * Numbers of a vector after fixed rotations: as many rotations one behind the other as it takes to have
 * `count` numbers. A rotation is three rounds of random signs and a Hadamard transform, n × log n steps.
 * @param vector of any number of dimensions
 */
export function rotated(vector: Float32Array, count: number): Float32Array {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, vector.length)));
  const numbers = new Float32Array(count);
  for (let at = 0, rotation = 0; at < count; at += size, rotation++) {
    const turned = new Float32Array(size);
    turned.set(vector);
    for (let round = 0; round < ROUNDS; round++) {
      applySigns(turned, rotation * ROUNDS + round);
      hadamard(turned);
    }
    numbers.set(turned.subarray(0, count - at), at);
  }
  return numbers;
}

/** Turns some signs, the same ones for the same seed: xorshift32, 32 signs a step. */
function applySigns(numbers: Float32Array, seed: number): void {
  let state = (seed + 1) * 0x9e3779b1;
  let signs = 0;
  for (let index = 0; index < numbers.length; index++) {
    if (index % 32 === 0) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      signs = Math.imul(state, 0x85ebca6b) ^ (state >>> 13);
    }
    if ((signs >>> (index % 32)) & 1) numbers[index] = -(numbers[index] as number);
  }
}

/** Keeps lengths and angles. */
function hadamard(numbers: Float32Array): void {
  const { length } = numbers;
  for (let half = 1; half < length; half *= 2)
    for (let start = 0; start < length; start += 2 * half)
      for (let index = start; index < start + half; index++) {
        const [a, b] = [numbers[index] as number, numbers[index + half] as number];
        numbers[index] = a + b;
        numbers[index + half] = a - b;
      }
  const scale = 1 / Math.sqrt(length);
  for (let index = 0; index < length; index++) numbers[index] = (numbers[index] as number) * scale;
}
