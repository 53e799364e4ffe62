/** What the two sides of one pair gave. */
export interface Pair<T> {
  readonly a: T;
  readonly b: T;
}

/**
 * Runs two sides as interleaved pairs, A B B A A B …: whatever drifts over the minutes (caches, a table that
 * grows, a neighbour on the machine) meets both sides alike.
 */
export async function interleavedPairs<T>(
  count: number,
  a: () => Promise<T>,
  b: () => Promise<T>,
  onPair: (pair: Pair<T>, index: number) => void = () => undefined,
): Promise<readonly Pair<T>[]> {
  const pairs: Pair<T>[] = [];
  for (let index = 0; index < count; index++) {
    const pair = index % 2 === 0 ? { a: await a(), b: await b() } : await swapped(a, b);
    onPair(pair, index);
    pairs.push(pair);
  }
  return pairs;
}

async function swapped<T>(a: () => Promise<T>, b: () => Promise<T>): Promise<Pair<T>> {
  const ofB = await b();
  return { a: await a(), b: ofB };
}
