import { DomainError } from '../../../core/errors.ts';
import type { Transaction } from '../../../db/database.ts';
import type { Statement } from '../../../db/statement.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { callAudioKey } from '../../../storage/call-keys.ts';
import { callClip } from '../call-clip.ts';
import { clipGenerate } from '../clip-generate.ts';
import { findCallClip } from '../sql/find-call-clip.ts';
import { type CallSourceRow, findCallSource } from '../sql/find-call-source.ts';
import { findClip } from '../sql/find-clip.ts';
import { type ClipSourceRow, findClipSource } from '../sql/find-clip-source.ts';
import { insertCallClip } from '../sql/insert-call-clip.ts';
import { insertClip } from '../sql/insert-clip.ts';
import { lockCallClip } from '../sql/lock-call-clip.ts';
import { lockClip } from '../sql/lock-clip.ts';
import type { ClipFieldNames } from './clip-range.ts';

/** What a clip is asked of, and how its row and its job are made. */
export interface ClipSource {
  readonly kind: 'video' | 'call';
  readonly id: string;
  readonly title: string;
  /** Null while it is not known. */
  readonly durationMs: number | null;
  /** What the caller calls the field that names it. */
  readonly field: string;
  readonly definitionKey: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly statements: { readonly find: Statement; readonly insert: Statement; readonly lock: Statement };
}

const OF_VIDEO = { find: findClip, insert: insertClip, lock: lockClip };
const OF_CALL = { find: findCallClip, insert: insertCallClip, lock: lockCallClip };

/**
 * @throws DomainError `InvalidArgument` unless exactly one is named; `NotFound`; `ObjectNotFound` before
 *   there is anything to cut
 */
export async function findSource(
  tx: Transaction,
  tenantId: string,
  {
    videoId,
    callId,
  }: { readonly videoId?: string | null | undefined; readonly callId?: string | null | undefined },
  names: ClipFieldNames,
): Promise<ClipSource> {
  if (videoId != null && callId == null) return await videoSource(tx, tenantId, videoId, names.videoId);
  if (callId != null && videoId == null) return await callSource(tx, tenantId, callId, names.callId);
  const allowed = `exactly one of ${names.videoId} and ${names.callId}`;
  const given = videoId == null ? 'Neither is given' : 'Both are given';
  throw new DomainError('InvalidArgument', `${given}; allowed: ${allowed}.`, {
    field: names.videoId,
    allowed,
  });
}

async function videoSource(
  tx: Transaction,
  tenantId: string,
  videoId: string,
  field: string,
): Promise<ClipSource> {
  const { rows } = await tx.query<ClipSourceRow>(findClipSource, [tenantId, videoId]);
  const video = rows[0];
  if (video === undefined) throw missing('video', videoId, field);
  if (video.status === 'awaiting_upload')
    throw new DomainError('ObjectNotFound', `Nothing has been uploaded for video ${videoId} yet.`, {
      field,
      allowed: 'a video whose upload is complete',
    });
  return {
    ...{ kind: 'video', id: video.id, title: video.title, durationMs: video.duration_ms, field },
    definitionKey: clipGenerate.key,
    payload: { video_id: video.id, s3_original_path: video.original_key },
    statements: OF_VIDEO,
  };
}

async function callSource(
  tx: Transaction,
  tenantId: string,
  callId: string,
  field: string,
): Promise<ClipSource> {
  const { rows } = await tx.query<CallSourceRow>(findCallSource, [tenantId, callId]);
  const call = rows[0];
  if (call === undefined) throw missing('call', callId, field);
  if (call.duration_ms === null)
    throw new DomainError('ObjectNotFound', `Call ${callId} has no sound yet.`, {
      field,
      allowed: 'a call whose sound has been taken out of its recording',
    });
  return {
    ...{ kind: 'call', id: call.id, title: call.title, durationMs: call.duration_ms, field },
    definitionKey: callClip.key,
    payload: {
      call_id: call.id,
      ...(call.recording_key !== null && { recording_path: call.recording_key }),
      audio_path: callAudioKey(call.id),
    },
    statements: OF_CALL,
  };
}

function missing(kind: 'video' | 'call', id: string, field: string): DomainError {
  const { code, message } = notFound(kind, id);
  return new DomainError(code, message, { field });
}
