import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import {
  type ClipFieldNames,
  type ClipRequest,
  clipUrl,
  DEFAULT_PADDING_MS,
  requestClip,
} from '../domains/clips/api.ts';
import type { HttpDeps } from './deps.ts';
import { takePostOnly } from './post-only.ts';
import { admitRoute, sendCallerCostLeft } from './route-caller.ts';

export const CLIPS_PATH = '/clips';
const MAX_BODY_BYTES = 4096;
const FIELDS: ClipFieldNames = {
  videoId: 'video_id',
  // That contract knows of no calls.
  callId: 'video_id',
  tStartMs: 't_start',
  tEndMs: 't_end',
  paddingMs: 'padding_ms',
};
const ALLOWED_FIELDS = Object.values(FIELDS);

/** What a route needs to know the caller, from before the body is read to the end. */
const callers = new WeakMap<FastifyRequest, Caller>();

/**
 * The video system's `POST /clips`: `video_id`, `t_start` and `t_end` (milliseconds), and `padding_ms` if it
 * is not to be 2000, as JSON or in the query string. Answers `clip_id` and `status`, as that contract says;
 * asked again once the clip is ready, with its URL.
 */
export function addClipsRoute(app: FastifyInstance, deps: HttpDeps): void {
  app.route({
    method: 'POST',
    url: CLIPS_PATH,
    bodyLimit: MAX_BODY_BYTES,
    // Before a byte of the body is read.
    onRequest: async (request, reply) => {
      callers.set(request, await admitRoute(deps, request, reply, requestClip.need));
    },
    handler: async (request, reply) => {
      try {
        return await answer(deps, request);
      } finally {
        sendCallerCostLeft(deps, request, reply);
      }
    },
  });
  takePostOnly(app, CLIPS_PATH);
}

async function answer({ graphql: { jobs } }: HttpDeps, request: FastifyRequest): Promise<object> {
  const caller = callers.get(request) as Caller;
  const asked = requestOf(request);
  const clip = await requestClip(jobs, caller, asked, FIELDS);
  const { objectKey: key, expiresAt, sourceTitle: title } = clip;
  const file = { expiresAt, title, startMs: asked.tStartMs, endMs: asked.tEndMs };
  const signed = key === null ? null : await clipUrl(jobs, { ...file, key });
  return {
    clip_id: clip.clipId,
    status: clip.status,
    job_id: clip.jobId,
    ...(signed !== null && { url: signed.url, url_expires_at: signed.expiresAt.toISOString() }),
  };
}

function requestOf({ body, query }: FastifyRequest): ClipRequest {
  const hasBody = body !== undefined && body !== null;
  if (hasBody && (typeof body !== 'object' || Array.isArray(body)))
    throw refused('body', 'the body is no object');
  const given = (hasBody ? body : query) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).find((field) => !ALLOWED_FIELDS.includes(field));
  if (unknown !== undefined) throw refused(unknown.slice(0, 80), 'it is not known here');
  const videoId = given[FIELDS.videoId];
  if (typeof videoId !== 'string' || !isUuid(videoId))
    throw new DomainError('InvalidArgument', `${FIELDS.videoId} is ${shown(videoId)}; allowed: a UUID.`, {
      field: FIELDS.videoId,
      allowed: 'a UUID',
    });
  return {
    videoId: videoId.toLowerCase(),
    tStartMs: milliseconds(given, FIELDS.tStartMs),
    tEndMs: milliseconds(given, FIELDS.tEndMs),
    paddingMs: milliseconds(given, FIELDS.paddingMs, DEFAULT_PADDING_MS),
  };
}

/** A number, also as text, since a query string has nothing else. */
function milliseconds(
  given: Readonly<Record<string, unknown>>,
  field: string,
  defaultMs: number | null = null,
): number {
  const value = given[field];
  if (value === undefined && defaultMs !== null) return defaultMs;
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  const allowed = 'whole milliseconds';
  throw new DomainError('InvalidArgument', `${field} is ${shown(value)}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}

function refused(field: string, why: string): DomainError {
  const allowed = `an object or a query string with ${ALLOWED_FIELDS.join(', ')}`;
  return new DomainError('InvalidArgument', `${JSON.stringify(field)}: ${why}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}
