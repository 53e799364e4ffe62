import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { DomainError } from '../../core/errors.ts';
import type { AppendOptions, PartialPlan, PartialState, PartialStore } from '../partial-store.ts';
import { objectNotFound } from '../store-errors.ts';
import { addressOf, createS3Client, type S3Place } from './client.ts';
import { asking, isNotFound } from './failures.ts';
import { partSizeFor } from './parts.ts';
import { openObject } from './read.ts';
import type { S3Settings } from './settings.ts';
import { statObject } from './stat.ts';

/**
 * Parts are all of one size; what is less than one waits as an object of its own, as a bucket takes no small
 * part but the last.
 */
interface S3State extends PartialState {
  readonly ref: string;
  readonly uploadId: string;
  readonly partSizeBytes: number;
  readonly etags: readonly string[];
  /** Bytes after the last whole part. */
  readonly tailBytes: number;
}

/** Uploads in pieces as multipart uploads of a bucket: the object appears when the last one is completed. */
export function createS3Partials(settings: S3Settings): PartialStore {
  const client = createS3Client(settings, settings.endpoint);
  const place: S3Place = { client, bucket: settings.bucket, keyPrefix: settings.keyPrefix };
  return {
    begin: async (plan) => await begin(place, plan),
    sizeOf: async (state) => sizeOf(stateOf(state)),
    append: async (plan, state, source, options) =>
      await append(place, plan, stateOf(state), source, options),
    publish: async (plan, state) => await publish(place, plan, stateOf(state)),
    discard: async (plan, state) => await discard(place, plan.key, stateOf(state)),
    close: () => client.destroy(),
  };
}

async function begin(place: S3Place, { key, sizeBytes, contentType }: PartialPlan): Promise<S3State> {
  const { UploadId } = await asking(`begin the upload of ${JSON.stringify(key)}`, undefined, () =>
    place.client.send(
      new CreateMultipartUploadCommand({ ...addressOf(place, key), ContentType: contentType }),
    ),
  );
  if (UploadId === undefined) throw new Error('The object store began an upload without an id');
  const partSizeBytes = partSizeFor(sizeBytes, sizeBytes);
  return { ref: randomUUID(), uploadId: UploadId, partSizeBytes, etags: [], tailBytes: 0 };
}

function sizeOf({ etags, partSizeBytes, tailBytes }: S3State): number {
  return etags.length * partSizeBytes + tailBytes;
}

async function append(
  place: S3Place,
  plan: PartialPlan,
  before: S3State,
  source: AsyncIterable<Buffer>,
  { save, signal }: AppendOptions,
): Promise<number> {
  let state = before;
  let held: Buffer[] = before.tailBytes === 0 ? [] : [await readTail(place, before)];
  let heldBytes = before.tailBytes;
  const keep = async (next: S3State): Promise<void> => {
    signal.throwIfAborted();
    await save(next);
    state = next;
  };
  for await (const bytes of source) {
    signal.throwIfAborted();
    held.push(bytes);
    heldBytes += bytes.length;
    if (heldBytes < state.partSizeBytes) continue;
    let rest = Buffer.concat(held);
    for (; rest.length >= state.partSizeBytes; rest = rest.subarray(state.partSizeBytes)) {
      const part = rest.subarray(0, state.partSizeBytes);
      const etag = await sendPart(place, plan.key, state, part, signal);
      await keep({ ...state, etags: [...state.etags, etag], tailBytes: 0 });
    }
    held = [Buffer.from(rest)];
    heldBytes = rest.length;
  }
  if (heldBytes > 0 && (state !== before || heldBytes > before.tailBytes)) {
    await putTail(place, state, Buffer.concat(held), signal);
    await keep({ ...state, tailBytes: heldBytes });
  }
  if (before.tailBytes > 0 && state.etags.length > before.etags.length) await deleteTail(place, before);
  return sizeOf(state);
}

async function publish(place: S3Place, plan: PartialPlan, state: S3State): Promise<void> {
  const { key, sizeBytes } = plan;
  try {
    const etags = [...state.etags];
    if (state.tailBytes > 0)
      etags.push(await sendPart(place, key, state, await readTail(place, state), undefined));
    await asking(`complete the upload of ${JSON.stringify(key)}`, undefined, () =>
      place.client.send(
        new CompleteMultipartUploadCommand({
          ...addressOf(place, key),
          UploadId: state.uploadId,
          MultipartUpload: { Parts: etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 })) },
        }),
      ),
    );
  } catch (error) {
    const isGone = error instanceof DomainError && error.code === 'ObjectNotFound';
    if (!isGone && !isNotFound(error)) throw error;
    // Completed before, and the record of it lost; or given up by a rule of the bucket.
    if ((await statObject(place, key))?.sizeBytes !== sizeBytes) throw objectNotFound(key);
  }
  if (state.tailBytes > 0) await deleteTail(place, state);
}

async function discard(place: S3Place, key: string, state: S3State): Promise<void> {
  const abort = new AbortMultipartUploadCommand({ ...addressOf(place, key), UploadId: state.uploadId });
  await asking(`give up the upload of ${JSON.stringify(key)}`, undefined, () =>
    place.client.send(abort),
  ).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  if (state.tailBytes > 0) await deleteTail(place, state);
}

async function sendPart(
  place: S3Place,
  key: string,
  { uploadId, etags }: S3State,
  bytes: Buffer,
  signal: AbortSignal | undefined,
): Promise<string> {
  const number = etags.length + 1;
  const { ETag } = await asking(`take part ${number} of ${JSON.stringify(key)}`, signal, () =>
    place.client.send(
      new UploadPartCommand({
        ...addressOf(place, key),
        UploadId: uploadId,
        PartNumber: number,
        Body: bytes,
      }),
      signal && { abortSignal: signal },
    ),
  ).catch((error: unknown) => {
    throw isNotFound(error) && signal !== undefined ? objectNotFound(key) : error;
  });
  if (ETag === undefined) throw new Error('The object store took a part without an etag');
  return ETag;
}

/**
 * Named by the parts before it: once there is one more, the rest before that part is nobody's any more,
 * whatever a crash left. One that is longer than remembered begins with what is remembered.
 */
function tailKey({ ref, etags }: S3State): string {
  return `uploads/${ref}/${etags.length}`;
}

async function putTail(place: S3Place, state: S3State, bytes: Buffer, signal: AbortSignal): Promise<void> {
  await asking('take a piece of an upload', signal, () =>
    place.client.send(new PutObjectCommand({ ...addressOf(place, tailKey(state)), Body: bytes }), {
      abortSignal: signal,
    }),
  );
}

async function readTail(place: S3Place, state: S3State): Promise<Buffer> {
  const { stream } = await openObject(place, tailKey(state), null, null, undefined);
  return (await buffer(stream)).subarray(0, state.tailBytes);
}

async function deleteTail(place: S3Place, state: S3State): Promise<void> {
  await asking('delete a piece of an upload', undefined, () =>
    place.client.send(new DeleteObjectCommand(addressOf(place, tailKey(state)))),
  );
}

function stateOf(state: PartialState): S3State {
  const { uploadId, etags } = state;
  if (typeof uploadId === 'string' && Array.isArray(etags)) return state as S3State;
  throw new Error('The state of an upload names no multipart upload');
}
