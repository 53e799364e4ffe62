import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import type { EnqueueResult } from '../../../core/queue.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { newUuid } from '../../../db/sql/new-uuid.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { requireRoom } from '../../../media-files/storage-quota.ts';
import { urlOrReason } from '../../../outgoing/outgoing-policy.ts';
import { inboxPrefix, recordingKey } from '../../../storage/call-keys.ts';
import type { SignedUrl } from '../../../storage/url-signer.ts';
import { insertCall } from '../sql/insert-call.ts';
import { type CallInput, checkCallInput, refused } from './call-input.ts';
import { enqueueExtract } from './enqueue-extract.ts';

export interface SubmittedCall {
  readonly callId: string;
  /** Null while the upload is awaited. */
  readonly jobId: string | null;
  /** Where to put the recording; null for one that is there already. */
  readonly upload: (SignedUrl & { readonly maxSizeBytes: number }) | null;
}

type Deps = Pick<JobsDeps, 'db' | 'queue' | 'store' | 'urls' | 'config'>;

const CONTENT_TYPE = /^(?:audio|video)\/[\w.+-]{1,80}$|^application\/(?:octet-stream|ogg|mxf)$/;

/**
 * Makes a call, and its first job unless its recording is still to be uploaded, both in one transaction.
 * @throws DomainError `Forbidden` `InvalidArgument` `ObjectNotFound` `ObjectTooLarge` `QuotaExceeded`
 *   `DefinitionInactive`
 */
export const submitCall = defineUseCase(
  { name: 'submitCall', role: 'member', scope: 'videos:write', toDo: 'submit calls' },
  async (deps: Deps, actor: Caller, input: CallInput): Promise<SubmittedCall> => {
    checkCallInput(input);
    const { tenantId } = actor;
    const source = await sourceOf(deps, actor, input);
    const enqueued: EnqueueResult[] = [];
    const made = await deps.db.transaction({ role: 'api', tenantId }, async (tx): Promise<SubmittedCall> => {
      enqueued.length = 0;
      const { rows } = await tx.query<{ id: string }>(newUuid, []);
      const { id } = rows[0] as { id: string };
      const room = { tenantId, uploadOf: null, sizeBytes: source.sizeBytes, field: source.field };
      await requireRoom(tx, deps.config, room);
      const key = source.isUpload ? recordingKey(id, source.fileName) : source.key;
      const keepRecording = input.keepRecording ?? true;
      const title = input.title ?? (source.fileName || `Call ${id.slice(-12)}`);
      await tx.query(insertCall, [
        ...[id, tenantId, title.slice(0, 500), source.isUpload ? 'awaiting_upload' : 'queued'],
        ...[input.speakers ?? [], input.language ?? null, JSON.stringify(input.metadata ?? {})],
        ...[key, source.url, source.contentType, source.sizeBytes, keepRecording, actor.name],
      ]);
      if (source.isUpload) {
        const awaiting = { callId: id, jobId: null, upload: await uploadUrl(deps, key as string, source) };
        await recordOutcome(tx, awaiting);
        return awaiting;
      }
      const job = await enqueueExtract(deps, tx, tenantId, {
        id,
        recordingKey: key,
        sourceUrl: source.url,
        keepRecording,
        language: input.language ?? null,
        speakerCount: input.speakers?.length ?? 0,
        createdBy: actor.name,
      });
      enqueued.push(job);
      const submitted = { callId: id, jobId: job.id, upload: null };
      await recordOutcome(tx, submitted);
      return submitted;
    });
    deps.queue.notifyEnqueued(enqueued);
    return made;
  },
);

interface Source {
  readonly isUpload: boolean;
  readonly key: string | null;
  readonly url: string | null;
  readonly fileName: string;
  readonly contentType: string | null;
  readonly sizeBytes: number | null;
  readonly field: string;
}

async function sourceOf(deps: Deps, actor: Caller, { recording }: CallInput): Promise<Source> {
  const { maxUploadBytes } = deps.config;
  const none = { isUpload: false, key: null, url: null, fileName: '', contentType: null, sizeBytes: null };
  if (recording.upload != null) {
    const { fileName, contentType, sizeBytes } = recording.upload;
    const field = 'recording.upload.sizeBytes';
    if (contentType != null && !CONTENT_TYPE.test(contentType.toLowerCase()))
      throw refused(
        'recording.upload.contentType',
        contentType.slice(0, 80),
        'audio/…, video/… or application/octet-stream',
      );
    if (sizeBytes != null && sizeBytes <= 0n) throw refused(field, String(sizeBytes), 'at least 1');
    if (sizeBytes != null && sizeBytes > BigInt(maxUploadBytes))
      throw tooLarge(field, Number(sizeBytes), maxUploadBytes);
    const size = sizeBytes == null ? null : Number(sizeBytes);
    return {
      ...none,
      isUpload: true,
      fileName: fileName ?? '',
      contentType: contentType ?? null,
      sizeBytes: size,
      field,
    };
  }
  if (recording.url != null) {
    const url = urlOrReason(recording.url, deps.config);
    if (url instanceof URL)
      return { ...none, url: url.href, fileName: nameIn(url.pathname), field: 'recording.url' };
    throw refused(
      'recording.url',
      recording.url.slice(0, 120),
      `a public http:// or https:// URL (${url.message})`,
    );
  }
  const key = recording.objectKey as string;
  const field = 'recording.objectKey';
  const prefix = inboxPrefix(actor.tenantId);
  // Names of objects know no tenant: only what lies in its own inbox is a tenant's.
  if (!key.startsWith(prefix) || key.length > 1_000 || /(?:^|\/)\.{1,2}(?:\/|$)/.test(key))
    throw refused(field, nameIn(key).slice(0, 60), `a key below ${prefix}`);
  const object = await deps.store.stat(key).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'InvalidKey') return null;
    throw error;
  });
  if (object === null)
    throw new DomainError('ObjectNotFound', `There is no object ${JSON.stringify(key.slice(0, 120))}.`, {
      field,
      allowed: `an object below ${prefix}`,
    });
  if (object.sizeBytes > maxUploadBytes) throw tooLarge(field, object.sizeBytes, maxUploadBytes);
  return {
    ...none,
    key,
    fileName: nameIn(key),
    contentType: object.contentType,
    sizeBytes: object.sizeBytes,
    field,
  };
}

async function uploadUrl({ urls, config }: Deps, key: string, source: Source) {
  const maxSizeBytes = Math.min(
    source.sizeBytes ?? config.maxUploadBytes,
    urls.maxPutBytes ?? Number.POSITIVE_INFINITY,
  );
  const signed = await urls.put(key, {
    maxSizeBytes,
    expiresInSeconds: config.signedUrlSeconds,
    ...(source.sizeBytes !== null && { sizeBytes: maxSizeBytes }),
    ...(source.contentType !== null && { contentType: source.contentType }),
  });
  return { ...signed, maxSizeBytes };
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).slice(0, 200);
}

function tooLarge(field: string, sizeBytes: number, maxBytes: number): DomainError {
  const allowed = `at most ${maxBytes} bytes`;
  return new DomainError(
    'ObjectTooLarge',
    `A recording of ${sizeBytes} bytes is too large; allowed: ${allowed}.`,
    {
      field,
      allowed,
    },
  );
}
