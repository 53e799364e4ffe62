import { DomainError, PermanentError } from '../../../src/core/errors.ts';
import { callPrefix, inboxPrefix } from '../../../src/storage/call-keys.ts';
import type { HandlerContext, MediaTools } from '../../handler.ts';

/**
 * The call that a job is about. Rows go by the job's subject, objects by its payload: the two must name the
 * same.
 * @throws PermanentError `InvalidPayload`
 */
export function callOfJob(payload: { readonly call_id: string }, subject: HandlerContext['subject']): string {
  const callId = payload.call_id.toLowerCase();
  if (subject?.type === 'call' && subject.id.toLowerCase() === callId) return callId;
  throw new PermanentError(
    'InvalidPayload',
    `call_id is ${callId}, but the job's subject is ${subject?.type ?? 'none'} ${subject?.id ?? ''}`,
  );
}

/**
 * Keys know no tenant: an object must lie below the job's own call, or in its tenant's inbox.
 * @throws PermanentError `InvalidPayload`
 */
export function requireOwnKey(key: string, callId: string, tenantId: string): string {
  const allowed = [callPrefix(callId), inboxPrefix(tenantId)];
  if (allowed.some((prefix) => key.startsWith(prefix)) && !key.includes('..')) return key;
  throw new PermanentError('InvalidPayload', `The key is ${key}; allowed: below ${allowed.join(' or ')}`);
}

/**
 * The media programs. Another worker may have them: an ordinary, retried error. @throws DomainError
 * `ToolMissing`
 */
export function requireMedia(media: MediaTools | null): MediaTools {
  if (media !== null) return media;
  throw new DomainError('ToolMissing', 'This worker has no ffmpeg', {
    field: 'FFMPEG_PATH',
    allowed: 'ffmpeg 5 or newer',
  });
}
