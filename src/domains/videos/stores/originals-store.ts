import type { Database, Scope } from '../../../db/database.ts';
import { findTenant, type TenantRow } from '../../../db/sql/identity/find-tenant.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { titleOfOriginal } from '../../../storage/video-keys.ts';
import { findVideosOfOriginals, type VideoOfOriginalRow } from '../sql/find-videos-of-originals.ts';
import { type LockedVideoRow, lockVideo } from '../sql/lock-video.ts';
import { finishUpload } from '../uploads/finish-upload.ts';
import { registerOriginal } from '../uploads/register-original.ts';
import type { KnownVideo, OriginalsStore } from './contract.ts';

export interface OriginalsDeps {
  readonly database: Database;
  readonly queue: Pick<JobsDeps['queue'], 'enqueueIn' | 'notifyEnqueued'>;
  /** Slug of the tenant that owns what is found without a video; null: nobody does. */
  readonly tenantSlug: string | null;
  /** An upload that is larger is not completed. */
  readonly maxUploadBytes: number;
}

/**
 * Originals and their videos, of all tenants: which file is known is read as the worker, and everything is
 * written as the API role in the tenant that it belongs to.
 */
export function createOriginalsStore({
  database,
  queue,
  tenantSlug,
  maxUploadBytes,
}: OriginalsDeps): OriginalsStore {
  let owner: Promise<string | null> | undefined;
  const ownerId = (): Promise<string | null> => (owner ??= tenantIdOf(database, tenantSlug));
  return {
    findVideos: async (videoIds) => {
      const { rows } = await database.asWorker<VideoOfOriginalRow>(findVideosOfOriginals, [[...videoIds]]);
      return new Map(rows.map((row) => [row.id, knownOf(row)]));
    },
    register: async ({ videoId, fileName, object }) => {
      const tenantId = await ownerId();
      if (tenantId === null) return 'unowned';
      const job = await database.transaction(scopeOf(tenantId), (tx) =>
        registerOriginal({ queue }, tx, {
          tenantId,
          videoId,
          originalKey: object.key,
          title: titleOfOriginal(videoId, fileName),
          contentType: object.contentType,
          sizeBytes: object.sizeBytes,
          languages: null,
          createdBy: 'system',
        }),
      );
      if (job === null) return 'known';
      queue.notifyEnqueued([job]);
      return 'registered';
    },
    complete: async ({ tenantId }, videoId, object) => {
      const job = await database.transaction(scopeOf(tenantId), async (tx) => {
        const { rows } = await tx.query<LockedVideoRow>(lockVideo, [tenantId, videoId]);
        const video = rows[0];
        if (video?.status !== 'awaiting_upload' || video.original_key !== object.key) return null;
        return finishUpload({ queue }, tx, { tenantId, video, object, createdBy: null }, maxUploadBytes);
      });
      if (job !== null) queue.notifyEnqueued([job]);
      return job !== null;
    },
  };
}

function scopeOf(tenantId: string): Scope {
  return { role: 'api', tenantId, endsWhenFrozen: true };
}

async function tenantIdOf(database: Database, slug: string | null): Promise<string | null> {
  if (slug === null) return null;
  const { rows } = await database.asWorker<TenantRow>(findTenant, [slug]);
  return rows[0]?.id ?? null;
}

function knownOf({ tenant_id, status, original_key }: VideoOfOriginalRow): KnownVideo {
  return { tenantId: tenant_id, awaitsUpload: status === 'awaiting_upload', originalKey: original_key };
}
