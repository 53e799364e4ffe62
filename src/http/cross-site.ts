import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import type { Config } from '../config/config.ts';
import { GRAPHQL_PATH } from '../graphql/yoga.ts';
import { type ForgeryRules, forgeryProblem } from './forgery.ts';
import { sendProblem } from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For what any page may ask for, as the answer is the same for everybody and changes nothing. */
    readonly isForAnyPage?: (request: FastifyRequest) => boolean;
  }
}

/**
 * Refuses, on every route that is not under a signed URL, what a foreign page may have sent, before a byte of
 * the body is read. A route is in it unless it says otherwise. Without credentials nobody is recognised,
 * which the route itself says.
 * @param isSigned whether the URL itself is the permission
 */
export function refuseForeignPages(
  app: FastifyInstance,
  config: Pick<Config, keyof ForgeryRules>,
  isSigned: (url: string | undefined) => boolean,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const { routeOptions, headers } = request;
    if (request.is404 || request.method === 'OPTIONS' || headers.authorization === undefined) return;
    if (isSigned(routeOptions.url) || routeOptions.config.isForAnyPage?.(request) === true) return;
    const problem = forgeryProblem(headers, config);
    if (problem !== null) await refuse(reply, problem, routeOptions.url === GRAPHQL_PATH);
  });
}

function refuse(reply: FastifyReply, problem: string, isGraphql: boolean): FastifyReply {
  if (!isGraphql) return sendProblem(reply, 403, 'CrossSiteRefused', problem);
  const error = new GraphQLError(problem, { extensions: { code: 'CROSS_SITE_REFUSED' } });
  return reply
    .code(403)
    .type('application/json; charset=utf-8')
    .send({ errors: [error.toJSON()] });
}
