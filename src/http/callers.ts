import type { FastifyRequest } from 'fastify';
import type { Identity } from '../identity/identity.ts';

const callers = new WeakMap<FastifyRequest, Identity>();

/** Keeps the caller, from before the body is read to the end. */
export function setCaller(request: FastifyRequest, identity: Identity): void {
  callers.set(request, identity);
}

/** The caller; undefined where nobody has been recognised. */
export function callerOf(request: FastifyRequest): Identity | undefined {
  return callers.get(request);
}
