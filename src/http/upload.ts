import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../core/errors.ts';
import type { PutHold } from '../domains/videos/api.ts';

import { mediaTypeOf } from '../storage/content-type.ts';
import type { FileGrant } from '../storage/file-token.ts';
import type { ObjectStore, PutOptions, StoredObject } from '../storage/object-store.ts';
import { bodyOf } from './request-body.ts';

/** The right to put one file, and how much of it may come. */
export type UploadHold = Pick<PutHold, 'maxSizeBytes' | 'signal' | 'release'>;

export interface UploadPlan {
  readonly store: ObjectStore;
  /** @param sizeBytes as the client says; null where it does not */
  readonly hold: (sizeBytes: number | null) => Promise<UploadHold>;
  readonly grant: Extract<FileGrant, { action: 'put' }>;
  readonly publishing: NonNullable<PutOptions['publishing']>;
  readonly idleMs: number;
}

/**
 * Streams a request's body into the store. What is cut off, refused or too large leaves nothing behind.
 * @throws DomainError `InvalidArgument` (another type than the signed one) `ObjectTooLarge`; what `hold` and
 *   `publishing` throw
 */
export async function receiveUpload(
  { store, grant, hold, publishing, idleMs }: UploadPlan,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { 'content-type': contentType, 'content-length': length } = request.headers;
  if (grant.contentType !== null && mediaTypeOf(contentType ?? '') !== mediaTypeOf(grant.contentType)) {
    const shown = JSON.stringify(contentType ?? null);
    throw new DomainError('InvalidArgument', `Content-Type is ${shown}; allowed: ${grant.contentType}.`, {
      field: 'content-type',
      allowed: grant.contentType,
    });
  }
  if (Number(length ?? 0) > grant.maxSizeBytes) throw tooLarge(grant.maxSizeBytes);
  const held = await hold(length === undefined ? null : Number(length));
  try {
    const stored = await putHeld({ store, grant, publishing, idleMs }, held, request);
    reply.code(201).header('etag', `"${stored.sha256}"`);
    return reply.send({ sizeBytes: stored.sizeBytes, sha256: stored.sha256 });
  } catch (error) {
    // The client left in the middle: there is nobody to answer.
    if (request.raw.destroyed && !request.raw.complete) return reply;
    throw error instanceof DomainError && error.code === 'ObjectTooLarge'
      ? tooLarge(held.maxSizeBytes)
      : error;
  }
}

/** Returned before the answer, after which a client may put again. */
async function putHeld(
  { store, grant, publishing, idleMs }: Omit<UploadPlan, 'hold'>,
  held: UploadHold,
  request: FastifyRequest,
): Promise<StoredObject> {
  let stored: StoredObject | null = null;
  try {
    stored = await store.put(
      grant.key,
      { stream: bodyOf(request.raw, { idleMs }) },
      {
        maxSizeBytes: held.maxSizeBytes,
        signal: held.signal,
        publishing,
        // Only a type that was signed: otherwise the key's extension decides, not the uploader.
        ...(grant.contentType !== null && { contentType: grant.contentType }),
      },
    );
    return stored;
  } finally {
    await held.release(stored?.sizeBytes ?? null);
  }
}

function tooLarge(maxSizeBytes: number): DomainError {
  const allowed = `at most ${maxSizeBytes} bytes`;
  return new DomainError('ObjectTooLarge', `The file is too large; allowed: ${allowed}.`, {
    field: 'body',
    allowed,
  });
}
