import type { FastifyRequest } from 'fastify';

/** Bytes of a request's body, as its head says; where it does not, it may be the largest. */
export function bodyBytesOf({ headers, routeOptions }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (Number.isSafeInteger(length)) return length;
  return headers['transfer-encoding'] === undefined ? 0 : (routeOptions.bodyLimit ?? 0);
}
