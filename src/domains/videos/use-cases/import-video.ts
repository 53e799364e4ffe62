import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { cleanText } from '../../../core/clean-text.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import { pipelineDedupeKey } from '../../../core/pipelines/dedupe-key.ts';
import type { EnqueueResult } from '../../../core/queue.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { newUuid } from '../../../db/sql/new-uuid.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { requireRoom } from '../../../media-files/storage-quota.ts';
import { urlOrReason } from '../../../outgoing/outgoing-policy.ts';
import { originalKey } from '../../../storage/video-keys.ts';
import { fetchOriginal } from '../definitions/fetch-original.ts';
import { checkProcessing, type ProcessingInput } from '../pipeline/processing.ts';
import { insertVideo } from '../sql/insert-video.ts';
import type { CompletedUpload } from '../uploads/complete-video-upload.ts';
import { refused } from './refused.ts';
import { checkTeamId } from './team-id.ts';
import { checkLanguages } from './video-languages.ts';

export interface ImportVideoRequest {
  /** The file’s own: `https://example.com/talk.mp4`. */
  readonly url: string;
  /** Default: the file's name in the URL, or its host. */
  readonly title?: string | null | undefined;
  readonly languages?: readonly string[] | null | undefined;
  readonly team?: string | null | undefined;
  readonly processing?: ProcessingInput;
}

type ImportDeps = Pick<JobsDeps, 'db' | 'queue' | 'secrets' | 'config'>;

/**
 * Makes a video whose original is fetched from a public address, and enqueues the job that fetches it, both
 * in one transaction. Where the address may lead is looked at again when the job connects to it.
 * @throws DomainError `Forbidden` `InvalidArgument` `QuotaExceeded` (nothing is left) `DefinitionInactive`
 */
export const importVideo = defineUseCase(
  { name: 'importVideo', role: 'tenant_admin', scope: 'videos:write', toDo: 'import videos' },
  async (deps: ImportDeps, actor: Caller, request: ImportVideoRequest): Promise<CompletedUpload> => {
    const url = urlOf(deps, request.url);
    const fileName = fileNameOf(url);
    checkFilterText('title', request.title, 500);
    const title = request.title ?? (cleanText(fileName.replace(/\.\w{1,5}$/, '')).slice(0, 500) || url.host);
    if (title.trim().length === 0 || title.length > 500)
      throw refused('title', title.slice(0, 80), '1 to 500 characters');
    if (request.languages != null) checkLanguages(request.languages);
    checkTeamId(request.team);
    const processing = checkProcessing(request.processing);
    const { tenantId, name } = actor;
    const enqueued: EnqueueResult[] = [];
    const imported = await deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
      enqueued.length = 0;
      const { rows } = await tx.query<{ id: string }>(newUuid, []);
      const { id } = rows[0] as { id: string };
      await requireRoom(tx, deps.config, { tenantId, uploadOf: null, sizeBytes: null, field: 'url' });
      const key = originalKey(id, fileName);
      await tx.query(insertVideo, [
        ...[id, tenantId, name, title, null, key, null, request.languages ?? null, request.team ?? null],
        processing === null ? null : JSON.stringify(processing),
      ]);
      const payload = { video_id: id, s3_original_path: key, url: url.href };
      const results = await deps.queue.enqueueIn(tx, tenantId, [
        {
          definitionKey: fetchOriginal.key,
          payload: deps.secrets.seal(tenantId, fetchOriginal.payload, payload),
          source: 'manual',
          dedupeKey: pipelineDedupeKey(fetchOriginal.key, id),
          subject: { type: 'video', id },
          createdBy: name,
        },
      ]);
      const job = results[0] as EnqueueResult;
      enqueued.push(job);
      const outcome = { videoId: id, jobId: job.id, created: true };
      await recordOutcome(tx, outcome);
      return outcome;
    });
    deps.queue.notifyEnqueued(enqueued);
    return imported;
  },
);

function urlOf({ config }: Pick<ImportDeps, 'config'>, given: string): URL {
  const url = urlOrReason(given, config);
  if (url instanceof URL) return url;
  // A query may hold a secret.
  const shown = (given.split(/[?#]/)[0] ?? '').slice(0, 120);
  throw refused('url', shown, `a public http:// or https:// URL (${url.message})`);
}

function fileNameOf({ pathname }: URL): string {
  const name = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
