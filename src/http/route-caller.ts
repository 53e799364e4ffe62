import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { AccessNeed } from '../access/need.ts';
import { checkAdmitted } from '../access/use-case.ts';
import { credentialFrom } from '../graphql/credential.ts';
import { bodyBytesOf } from './body-bytes.ts';
import { callerOf, setCaller } from './callers.ts';
import type { HttpDeps } from './deps.ts';
import { sendCostLeft } from './rate-headers.ts';

export type RouteCallerDeps = Pick<HttpDeps, 'authenticator' | 'addresses' | 'admissions'>;

/**
 * Recognises the caller of a route before a byte of its body is read, and refuses who may not do what the
 * route is for. The body is taken from their rate; what the use-case costs is taken when it is called.
 * @throws DomainError `Unauthenticated` `Forbidden` `PersistedOnly` `RateLimited`
 */
export async function admitRoute(
  { authenticator, addresses, admissions }: RouteCallerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  need: AccessNeed,
): Promise<Caller> {
  const identity = await authenticator.authenticate(
    credentialFrom(request.headers, {}, addresses.of(request.raw)),
  );
  setCaller(request, identity);
  const caller = admissions.callerOfRoute(identity);
  try {
    checkAdmitted(caller, need, () => 0);
    admissions.takeBytes(identity, bodyBytesOf(request));
    return caller;
  } finally {
    sendCostLeft(reply, admissions.costLeft(identity));
  }
}

/**
 * Says in the headers what the caller of a route may still ask, once its use-case has taken what it costs.
 */
export function sendCallerCostLeft(
  { admissions }: Pick<HttpDeps, 'admissions'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const identity = callerOf(request);
  if (identity !== undefined && !reply.sent) sendCostLeft(reply, admissions.costLeft(identity));
}
