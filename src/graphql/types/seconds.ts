/** Seconds as a GraphQL Int: 68 years at most, which is what a longer time comes to as well. */
export function secondsOf(seconds: bigint | null): number | null {
  return seconds === null ? null : Math.min(Number(seconds), 2_147_483_647);
}
