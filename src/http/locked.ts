import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../core/errors.ts';
import { sendProblem } from './problem.ts';

/**
 * Answers an upload beside which another request adds to the same video by a status of its own, after which
 * clients try again.
 */
export async function lockedAside(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    // The client left in the middle: there is nobody to answer.
    if (raw.destroyed && !raw.complete) return reply;
    if (!(error instanceof DomainError && error.code === 'Busy')) throw error;
    return sendProblem(reply.header('retry-after', '1'), 423, 'UploadLocked', error.message);
  }
}
