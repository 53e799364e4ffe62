import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../core/errors.ts';
import type { FileGrant } from '../storage/file-token.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { sendProblem } from './problem.ts';

/** Streams a request's body into the store. What is cut off or too large leaves nothing behind. */
export async function receiveUpload(
  store: ObjectStore,
  grant: Extract<FileGrant, { action: 'put' }>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { 'content-type': contentType, 'content-length': length } = request.headers;
  if (grant.contentType !== null && contentType !== grant.contentType) {
    return sendProblem(reply, 400, 'InvalidArgument', `Content-Type is ${JSON.stringify(contentType)}.`, {
      field: 'content-type',
      allowed: grant.contentType,
    });
  }
  if (Number(length ?? 0) > grant.maxSizeBytes) return sendTooLarge(reply, grant.maxSizeBytes);
  try {
    const stored = await store.put(
      grant.key,
      { stream: bodyOf(request.raw) },
      {
        maxSizeBytes: grant.maxSizeBytes,
        // Only a type that was signed: otherwise the key's extension decides, not whoever uploads.
        ...(grant.contentType !== null && { contentType: grant.contentType }),
      },
    );
    reply.code(201).header('etag', `"${stored.sha256}"`);
    return reply.send({ sizeBytes: stored.sizeBytes, sha256: stored.sha256 });
  } catch (error) {
    // The client left in the middle: there is nobody to answer.
    if (request.raw.destroyed && !request.raw.complete) return reply;
    if (error instanceof DomainError && error.code === 'ObjectTooLarge')
      return sendTooLarge(reply, grant.maxSizeBytes);
    throw error;
  }
}

/**
 * The body as a stream of its own: a failed put destroys its source, and destroying the request would take the connection
 * along before the answer is out.
 */
function bodyOf(raw: IncomingMessage): Readable {
  const body = new PassThrough();
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new Error('The client left during its upload'));
  });
  return raw.pipe(body);
}

function sendTooLarge(reply: FastifyReply, maxSizeBytes: number): FastifyReply {
  // The rest of the body is still on its way. Read and dropped, so that a client that first sends everything comes to
  // read the answer; the connection is closed after it and not used again.
  reply.request.raw.resume();
  reply.header('connection', 'close');
  return sendProblem(reply, 413, 'ObjectTooLarge', 'The file is too large.', {
    allowed: `at most ${maxSizeBytes} bytes`,
  });
}
