import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { Actor } from '../../../core/actor.ts';
import { cleanText } from '../../../core/clean-text.ts';
import { DomainError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import type { EnqueueResult } from '../../../core/queue.ts';
import { findTenant, type TenantRow } from '../../../db/sql/identity/find-tenant.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import type { ObjectStat } from '../../../storage/object-store.ts';
import { partsOfOriginal, titleOfOriginal } from '../../../storage/video-keys.ts';
import { checkProcessing, type ProcessingInput } from '../pipeline/processing.ts';
import { findVideosOfOriginals, type VideoOfOriginalRow } from '../sql/find-videos-of-originals.ts';
import { type CompletedUpload, completeOriginal } from '../uploads/complete-video-upload.ts';
import { registerOriginal } from '../uploads/register-original.ts';
import { refused } from './refused.ts';
import { checkTeamId } from './team-id.ts';
import { checkLanguages } from './video-languages.ts';

export interface RegisterVideoRequest {
  /** The key of an object in the store: `videos/original/{uuid}/{file}`. */
  readonly key: string;
  /** Default: the file's name, or the id where that is `master`. */
  readonly title?: string | null | undefined;
  readonly languages?: readonly string[] | null | undefined;
  readonly team?: string | null | undefined;
  readonly processing?: ProcessingInput;
}

type RegisterDeps = Pick<JobsDeps, 'db' | 'queue' | 'store' | 'config'>;

/**
 * Makes a video of an original that lies in the store and enqueues its pipeline, both in one transaction.
 * Calling it again gives the same video. Names of objects know no tenant: so only the tenant that owns what
 * has no video (`MILLRACE_SCAN_TENANT`) may, or a super admin in any, and what is another tenant's answers as
 * if it were not there.
 * @throws DomainError `Forbidden` `InvalidArgument` `ObjectNotFound` `ObjectTooLarge` `AlreadyExists` (the
 *   video has another original) `DefinitionInactive` `DedupeBusy`
 */
export const registerVideo = defineUseCase(
  { name: 'registerVideo', role: 'tenant_admin', scope: 'videos:write', toDo: 'register videos' },
  async (deps: RegisterDeps, actor: Caller, request: RegisterVideoRequest): Promise<CompletedUpload> => {
    await requireOwner(deps, actor);
    const { key } = request;
    const parts = partsOfOriginal(key);
    if (parts === null)
      throw refused('key', key.slice(0, 120), 'videos/original/{uuid}/{file}, the UUID in lower case');
    checkFilterText('title', request.title, 500);
    // A file's name is as it is: what cannot be stored of it is replaced.
    const title = request.title ?? cleanText(titleOfOriginal(parts.videoId, parts.fileName));
    if (title.trim().length === 0 || title.length > 500)
      throw refused('title', title.slice(0, 120), '1 to 500 characters');
    if (request.languages != null) checkLanguages(request.languages);
    checkTeamId(request.team);
    const processing = checkProcessing(request.processing);
    const earlier = await findVideo(deps, parts.videoId);
    if (earlier !== undefined) return registeredBefore(deps, actor, key, earlier);
    const object = await usableObject(deps, key);
    const enqueued: EnqueueResult[] = [];
    const job = await deps.db.transaction({ role: 'api', tenantId: actor.tenantId }, async (tx) => {
      enqueued.length = 0;
      const result = await registerOriginal(deps, tx, {
        tenantId: actor.tenantId,
        videoId: parts.videoId,
        originalKey: key,
        title,
        contentType: object.contentType,
        sizeBytes: object.sizeBytes,
        languages: request.languages ?? null,
        teamId: request.team,
        processing,
        createdBy: actor.name,
      });
      if (result !== null) enqueued.push(result);
      return result;
    });
    deps.queue.notifyEnqueued(enqueued);
    if (job !== null) return { videoId: parts.videoId, jobId: job.id, created: true };
    // A scanner, or another call, was faster.
    const rival = await findVideo(deps, parts.videoId);
    if (rival === undefined) throw notThere(key);
    return registeredBefore(deps, actor, key, rival);
  },
);

async function registeredBefore(
  deps: RegisterDeps,
  actor: Actor,
  key: string,
  video: VideoOfOriginalRow,
): Promise<CompletedUpload> {
  if (video.tenant_id !== actor.tenantId || video.status === 'deleted') throw notThere(key);
  if (video.original_key !== key) {
    const allowed = video.original_key;
    const message = `Video ${video.id} is there with another original; allowed: ${allowed}.`;
    throw new DomainError('AlreadyExists', message, { field: 'key', allowed });
  }
  const completed = await completeOriginal(deps, actor.tenantId, video.id, actor.name);
  return { ...completed, created: false };
}

async function findVideo(
  { db }: Pick<RegisterDeps, 'db'>,
  id: string,
): Promise<VideoOfOriginalRow | undefined> {
  const { rows } = await db.asWorker<VideoOfOriginalRow>(findVideosOfOriginals, [[id]]);
  return rows[0];
}

async function usableObject({ store, config }: RegisterDeps, key: string): Promise<ObjectStat> {
  const object = await store.stat(key);
  if (object === null) throw notThere(key);
  if (object.sizeBytes === 0) throw refused('key', key.slice(0, 120), 'a file of at least 1 byte');
  if (object.sizeBytes <= config.maxUploadBytes) return object;
  const allowed = `at most ${config.maxUploadBytes} bytes`;
  throw new DomainError('ObjectTooLarge', `The file has ${object.sizeBytes} bytes; allowed: ${allowed}.`, {
    field: 'key',
    allowed,
  });
}

async function requireOwner({ db, config }: RegisterDeps, actor: Actor): Promise<void> {
  if (actor.role === 'super_admin') return;
  const { rows } = await db.asWorker<TenantRow>(findTenant, [actor.tenantId]);
  if (config.scanTenant !== null && rows[0]?.slug === config.scanTenant) return;
  const allowed = 'the tenant that MILLRACE_SCAN_TENANT names, or a super admin';
  throw new DomainError(
    'Forbidden',
    `Files of the store are not this tenant’s to register; allowed: ${allowed}.`,
    {
      allowed,
    },
  );
}

function notThere(key: string): DomainError {
  const shown = JSON.stringify(key.slice(0, 120));
  return new DomainError('ObjectNotFound', `There is no file ${shown} that could be registered.`, {
    field: 'key',
    allowed: 'a file in the store that is no other video’s',
  });
}
