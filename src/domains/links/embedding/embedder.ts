/**
 * Turns texts into vectors whose angles say how near their meanings are. Vectors of two models must not be
 * compared.
 */
export interface Embedder {
  /** Kept with each vector. */
  readonly model: string;
  /**
   * @returns a vector of length 1 for each text, in order
   * @throws ProviderBusy when the service asks to wait; DomainError `ToolMissing` where the offline model is
   *   not installed
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}

/** Scales a vector to length 1; one of zeros stays. @throws Error for numbers that are none */
export function normalized(numbers: ArrayLike<number>): Float32Array {
  const vector = Float32Array.from(numbers);
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (!Number.isFinite(sum)) throw new Error('A vector holds something that is no number');
  if (sum === 0) return vector;
  const length = Math.sqrt(sum);
  return vector.map((value) => value / length);
}

/** The vector of a long text: that of the mean of its parts. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors)
    for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + value;
  return normalized(sum);
}
