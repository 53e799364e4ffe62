import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { Actor } from '../../../core/actor.ts';
import { pipelineDedupeKey } from '../../../core/pipelines/dedupe-key.ts';
import type { EnqueueResult } from '../../../core/queue.ts';
import type { Transaction } from '../../../db/database.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { requireRoom } from '../../../media-files/storage-quota.ts';
import { type ClipStatus, clipStatus } from '../clip-status.ts';
import type { LockedClipRow } from '../sql/lock-clip.ts';
import { startClip } from '../sql/start-clip.ts';
import { CLIP_FIELDS, type ClipFieldNames, type ClipRange, checkClipRange } from './clip-range.ts';
import { type ClipSource, findSource } from './clip-source.ts';

/** A range of a video or of a call: exactly one of the two. */
export interface ClipRequest extends ClipRange {
  readonly videoId?: string | null | undefined;
  readonly callId?: string | null | undefined;
}

export interface RequestedClip {
  readonly clipId: string;
  /** Null only when the job of a clip made long ago has been deleted. */
  readonly jobId: string | null;
  readonly status: ClipStatus;
  /** Where the file is, once it is ready. */
  readonly objectKey: string | null;
  readonly expiresAt: Date | null;
  /** The title of the video or call. */
  readonly sourceTitle: string;
  /** False when the clip was there already, or is just being made. */
  readonly created: boolean;
}

const DAY_SECONDS = 86_400;

/**
 * Gives the clip of a range: the one that is there, or a new one with its job in the queue, row and job in
 * one transaction. The same request gives the same clip; one that failed, or whose time is up, is made again
 * under the same id.
 * @param names what the caller's transport calls the fields
 * @throws DomainError `NotFound` `Forbidden` `ObjectNotFound` (nothing uploaded yet, or no sound of a call)
 *   `InvalidArgument` (a range that cannot be) `DefinitionInactive` `DedupeBusy` `QuotaExceeded` (the
 *   tenant's storage is full)
 */
export const requestClip = defineUseCase(
  { name: 'requestClip', role: 'member', scope: 'videos:write', toDo: 'request clips' },
  async (
    deps: Pick<JobsDeps, 'db' | 'queue' | 'config'>,
    actor: Caller,
    request: ClipRequest,
    names: ClipFieldNames = CLIP_FIELDS,
  ): Promise<RequestedClip> => {
    const { tenantId } = actor;
    const { tStartMs, tEndMs, paddingMs } = request;
    const enqueued: EnqueueResult[] = [];
    const place = async (tx: Transaction): Promise<RequestedClip> => {
      const source = await findSource(tx, tenantId, request, names);
      const { statements, field } = source;
      checkClipRange(request, source.durationMs, deps.config.maxClipSeconds, names, source.kind);
      const range = [tenantId, source.id, tStartMs, tEndMs, paddingMs];
      const before = (await tx.query<LockedClipRow>(statements.find, range)).rows[0];
      if (before !== undefined && isThere(before)) return found(before, source);
      // Its size is known when it is made: a tenant that has reached the limit gets none.
      await requireRoom(tx, deps.config, { tenantId, uploadOf: null, sizeBytes: null, field });
      await tx.query(statements.insert, [...range, actor.name]);
      const { rows } = await tx.query<LockedClipRow>(statements.lock, range);
      const clip = rows[0] as LockedClipRow;
      if (isThere(clip)) return found(clip, source);
      const result = await enqueueClip(deps, tx, actor, source, clip.id, request);
      enqueued.push(result);
      const keptSeconds = deps.config.clipRetentionDays * DAY_SECONDS;
      await tx.query(startClip, [tenantId, clip.id, result.id, keptSeconds === 0 ? null : keptSeconds]);
      return {
        clipId: clip.id,
        jobId: result.id,
        status: 'queued',
        objectKey: null,
        expiresAt: null,
        sourceTitle: source.title,
        created: true,
      };
    };
    const requested = await deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
      enqueued.length = 0;
      const clip = await place(tx);
      await recordOutcome(tx, clip);
      return clip;
    });
    deps.queue.notifyEnqueued(enqueued);
    return requested;
  },
);

/**
 * It can be had, or is being made. A row that waits for a job that somebody has deleted would wait forever.
 */
function isThere({ status, is_over, job_status }: LockedClipRow): boolean {
  if (status === 'ready') return is_over !== true;
  return (status === 'queued' || status === 'running') && job_status !== null;
}

function found(
  { id, job_id, status, job_status, object_key, expires_at }: LockedClipRow,
  { title }: ClipSource,
): RequestedClip {
  const isReady = status === 'ready';
  return {
    clipId: id,
    jobId: job_id,
    status: clipStatus(status, job_status),
    objectKey: isReady ? object_key : null,
    expiresAt: isReady ? expires_at : null,
    sourceTitle: title,
    created: false,
  };
}

async function enqueueClip(
  { queue }: Pick<JobsDeps, 'queue'>,
  tx: Transaction,
  actor: Actor,
  source: ClipSource,
  clipId: string,
  { tStartMs, tEndMs, paddingMs }: ClipRange,
): Promise<EnqueueResult> {
  const { definitionKey, kind, id } = source;
  const [result] = await queue.enqueueIn(tx, actor.tenantId, [
    {
      definitionKey,
      payload: {
        ...{ clip_id: clipId, t_start: tStartMs, t_end: tEndMs, padding_ms: paddingMs },
        ...source.payload,
      },
      // A job that an operator has retried meanwhile makes the same clip.
      dedupeKey: pipelineDedupeKey(definitionKey, clipId),
      subject: { type: 'clip', id: clipId },
      correlationId: `${kind}:${id}`,
      createdBy: actor.name,
    },
  ]);
  return result as EnqueueResult;
}
