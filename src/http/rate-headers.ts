import type { FastifyReply } from 'fastify';
import type { CostLeft } from '../access/rates.ts';

/** `RateLimit-*`: what the caller or the tenant may still ask, whichever has less left. */
export function sendCostLeft(reply: FastifyReply, { limit, remaining, resetAt }: CostLeft): void {
  if (limit === null || remaining === null || resetAt === null) return;
  reply.headers({
    'ratelimit-limit': limit,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': Math.max(0, Math.ceil((resetAt.getTime() - Date.now()) / 1_000)),
  });
}
