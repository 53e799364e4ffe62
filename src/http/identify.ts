import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLError } from 'graphql';
import { DomainError } from '../core/errors.ts';
import { credentialFrom } from '../graphql/credential.ts';
import { maskError } from '../graphql/mask-error.ts';
import type { Identity } from '../identity/identity.ts';
import type { HttpDeps } from './deps.ts';
import { statusOf } from './status.ts';

/**
 * Identifies the caller of a GraphQL route.
 * @returns null when the caller has no identity, or the database cannot answer; the reply is sent then
 */
export async function identify(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Identity | null> {
  try {
    return await deps.authenticator.authenticate(
      credentialFrom(request.headers, {}, deps.addresses.of(request.raw)),
      { takesAccessTokens: true },
    );
  } catch (error) {
    const status = error instanceof DomainError ? statusOf(error.code) : 503;
    const retryAfterMs = error instanceof DomainError ? error.details['retryAfterMs'] : undefined;
    if (typeof retryAfterMs === 'number')
      reply.header('retry-after', Math.max(1, Math.ceil(retryAfterMs / 1_000)));
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    await refuse(reply, status, maskError(error, deps.log));
    return null;
  }
}

/** Answers a request with one GraphQL error. */
export function refuse(reply: FastifyReply, status: number, error: GraphQLError): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({ errors: [error.toJSON()] });
}
