import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { newUuid } from '../../../db/sql/new-uuid.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { requireRoom } from '../../../media-files/storage-quota.ts';
import type { UploadUrl } from '../../../storage/upload-urls.ts';
import type { SignedUrl } from '../../../storage/url-signer.ts';
import { originalKey } from '../../../storage/video-keys.ts';
import { checkProcessing, type ProcessingInput } from '../pipeline/processing.ts';
import { insertVideo } from '../sql/insert-video.ts';
import { VIDEO_CONTENT_TYPES } from '../uploads/video-content-types.ts';
import { refused } from './refused.ts';
import { checkTeamId } from './team-id.ts';
import { checkLanguages } from './video-languages.ts';

/** Longer than any file system’s names. */
const MAX_FILE_NAME_LENGTH = 1_000;

export interface CreateVideoRequest {
  readonly title: string;
  /** The file's name on the client; only its extension is used. */
  readonly fileName?: string | null | undefined;
  /** When given, the upload must be sent with this type. */
  readonly contentType?: string | null | undefined;
  /** When given, the upload may not be larger; into a bucket it must have exactly this size. */
  readonly sizeBytes?: bigint | null | undefined;
  /** Languages of its texts, by Tesseract's names; by default the configuration's. */
  readonly languages?: readonly string[] | null | undefined;
  /** Whose team's it is: a key of the caller's own. */
  readonly team?: string | null | undefined;
  readonly processing?: ProcessingInput;
}

export interface CreatedVideo {
  readonly videoId: string;
  readonly upload: SignedUrl;
  /**
   * The limit of the upload: the declared size, else the platform's limit; at most what one request takes.
   */
  readonly maxSizeBytes: number;
  /** Where an upload in pieces begins. */
  readonly resumable: UploadUrl & { readonly maxSizeBytes: number };
}

/**
 * Makes a video and the signed URL that its original is put to.
 * @throws DomainError `Forbidden` `InvalidArgument` `ObjectTooLarge` `QuotaExceeded`
 */
export const createVideo = defineUseCase(
  { name: 'createVideo', role: 'tenant_admin', scope: 'videos:write', toDo: 'create videos' },
  async (
    deps: Pick<JobsDeps, 'db' | 'urls' | 'uploadUrls' | 'config'>,
    actor: Caller,
    request: CreateVideoRequest,
  ): Promise<CreatedVideo> => {
    const { maxUploadBytes, signedUrlSeconds } = deps.config;
    check(request, maxUploadBytes);
    const processing = checkProcessing(request.processing);
    const wholeBytes = Number(request.sizeBytes ?? maxUploadBytes);
    const maxSizeBytes = Math.min(wholeBytes, deps.urls.maxPutBytes ?? Number.POSITIVE_INFINITY);
    const { tenantId, name } = actor;
    return deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
      const { rows } = await tx.query<{ id: string }>(newUuid, []);
      const id = (rows[0] as { id: string }).id;
      const declaredBytes = request.sizeBytes == null ? null : wholeBytes;
      await requireRoom(tx, deps.config, {
        tenantId,
        uploadOf: null,
        sizeBytes: declaredBytes,
        field: 'sizeBytes',
      });
      const original = originalKey(id, request.fileName ?? undefined);
      const title = request.title;
      const sizeBytes = request.sizeBytes?.toString() ?? null;
      await tx.query(insertVideo, [
        id,
        tenantId,
        name,
        title,
        request.contentType ?? null,
        original,
        sizeBytes,
        request.languages ?? null,
        request.team ?? null,
        processing === null ? null : JSON.stringify(processing),
      ]);
      const upload = await deps.urls.put(original, {
        maxSizeBytes,
        expiresInSeconds: signedUrlSeconds,
        ...(request.sizeBytes != null && { sizeBytes: maxSizeBytes }),
        ...(request.contentType != null && { contentType: request.contentType }),
      });
      const grant = {
        action: 'begin',
        key: original,
        maxSizeBytes: wholeBytes,
        contentType: request.contentType ?? null,
      } as const;
      const resumable = { ...deps.uploadUrls.sign(grant, signedUrlSeconds), maxSizeBytes: wholeBytes };
      const created = { videoId: id, upload, maxSizeBytes, resumable };
      await recordOutcome(tx, created);
      return created;
    });
  },
);

function check(request: CreateVideoRequest, maxSizeBytes: number): void {
  const { title, contentType, sizeBytes } = request;
  if (request.languages != null) checkLanguages(request.languages);
  checkTeamId(request.team);
  if (title.trim().length === 0 || title.length > 500)
    throw refused('title', title.slice(0, 80), '1 to 500 characters');
  checkFilterText('title', title, 500);
  checkFilterText('fileName', request.fileName, MAX_FILE_NAME_LENGTH);
  if (contentType != null && !VIDEO_CONTENT_TYPES.has(contentType.toLowerCase()))
    throw refused('contentType', contentType.slice(0, 80), [...VIDEO_CONTENT_TYPES].join(', '));
  if (sizeBytes == null) return;
  if (sizeBytes <= 0n) throw refused('sizeBytes', String(sizeBytes), 'at least 1');
  if (sizeBytes <= BigInt(maxSizeBytes)) return;
  const allowed = `at most ${maxSizeBytes} bytes`;
  throw new DomainError('ObjectTooLarge', `A file of ${sizeBytes} bytes is too large; allowed: ${allowed}.`, {
    field: 'sizeBytes',
    allowed,
  });
}
