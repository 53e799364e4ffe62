import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * `<hostname>:<pid>:<random>`: another one for each start, so that nobody ever answers for a predecessor's
 * leases.
 */
export function newWorkerId(): string {
  return `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
}
