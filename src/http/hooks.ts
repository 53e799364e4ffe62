import type { FastifyInstance, FastifyRequest } from 'fastify';
import { systemCaller } from '../access/admissions.ts';
import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import { RateLimit } from '../core/rate-limit.ts';
import { MAX_WEBHOOK_BYTES, receiveWebhook } from '../domains/webhooks/api.ts';
import type { HttpDeps } from './deps.ts';

export const HOOKS_PATH = '/hooks';

/** Messages of one source that are looked at: after a rest, and over time. */
const RATE = { perSecond: 10, burst: 50 };

interface HookParams {
  source_id: string;
  token?: string;
}

/**
 * `POST /hooks/<source>` and `POST /hooks/<source>/<token>`: a message becomes an event. The proof in it is
 * the permission, no other identity is asked for. The body is taken as its bytes, which are what is signed.
 */
export function addHookRoutes(app: FastifyInstance, { graphql: { jobs } }: Pick<HttpDeps, 'graphql'>): void {
  const rates = new RateLimit(RATE);
  app.register((hooks, _options, done) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    hooks.route<{ Params: HookParams }>({
      method: 'POST',
      url: `${HOOKS_PATH}/:source_id/:token?`,
      bodyLimit: MAX_WEBHOOK_BYTES,
      // The path may hold a token.
      logLevel: 'silent',
      onRequest: async ({ params }) => admit(rates, params.source_id),
      handler: async (request, reply) => {
        const { source_id: sourceId, token = null } = request.params;
        const { body } = request;
        const received = await receiveWebhook(jobs, systemCaller(), {
          sourceId: sourceId.toLowerCase(),
          token,
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
          header: (name) => headerOf(request, name),
        });
        return reply.code(received.isNew ? 202 : 200).send({
          event_id: received.eventId,
          is_new: received.isNew,
          ...(received.linkId !== null && { link_id: received.linkId }),
        });
      },
    });
    done();
  });
}

/** @throws DomainError `NotFound` `RateLimited` */
function admit(rates: RateLimit, sourceId: string): void {
  if (!isUuid(sourceId)) throw new DomainError('NotFound', 'There is no such webhook.', {});
  const refused = rates.refusal(sourceId, 1);
  if (refused !== null)
    throw new DomainError(
      'RateLimited',
      `Too many messages of this webhook; try again in ${refused.retryAfterMs} ms.`,
      {
        ...refused,
        limit: RATE.burst,
        perSecond: RATE.perSecond,
      },
    );
  rates.take(sourceId, 1);
}

function headerOf({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}
