/** A vector as the database keeps it: little-endian float4. */
export function toBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes;
}

/** A vector from what the database keeps. */
export function fromBytes(bytes: Buffer): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(bytes);
  return new Float32Array(aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / 4));
}

/** The cosine of two vectors of length 1; 0 where their dimensions differ. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}
