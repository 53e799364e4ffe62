import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findCallRecordingUpload } from '../domains/calls/api.ts';
import {
  checkRunGoesOn,
  holdRoomForJobFile,
  type JobFileRun,
  runOfJobFile,
  storedJobFile,
} from '../domains/remote-workers/api.ts';
import { findUpload, PutHold, publishUpload } from '../domains/videos/api.ts';
import { cacheControlOf, namesOthers } from '../storage/cache-control.ts';
import { dispositionOf } from '../storage/content-disposition.ts';
import type { TokenVerdict } from '../storage/file-token.ts';
import type { ObjectStat } from '../storage/object-store.ts';
import { answerFor, type FileAnswer } from './conditional.ts';
import { FILE_CORS_HEADERS, FILE_PREFLIGHT_HEADERS } from './cors.ts';
import type { HttpDeps } from './deps.ts';
import { lockedAside } from './locked.ts';
import { servePart } from './part-playlist.ts';
import { sendProblem } from './problem.ts';
import { secondsUntil } from './seconds-until.ts';
import { serveTextTrack } from './text-track.ts';
import { HTTP_TIMES } from './times.ts';
import { receiveUpload, type UploadPlan } from './upload.ts';

/** Where files are, before their tokens. */
export const FILES_PATH = '/files/';
const FILE_URL = `${FILES_PATH}:token/*`;

/**
 * No file is a page that may do anything. What a browser shows by itself is a page all the same, with the
 * file as its video or picture and styles of the browser's own: without these words a link to a clip opens an
 * empty player.
 */
const FILE_POLICY =
  "sandbox allow-downloads; default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'";

interface FileParams {
  token: string;
  '*': string;
}

/**
 * The files of the store under signed URLs: the token in the path is the permission, no other identity is
 * asked for. Where the store is a bucket it gives the bytes away itself, by a redirect.
 * Any page may use them (a player, an upload form on another origin), and none can run a script that somebody
 * uploaded.
 */
export function addFileRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.register((files, _options, done) => {
    // Bodies go to the store as they come; nothing of an upload is held in memory.
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    files.addHook('onRequest', async (_request, reply) => {
      reply.headers({
        ...FILE_CORS_HEADERS,
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': FILE_POLICY,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    });
    files.options(`${FILES_PATH}*`, (_request, reply) =>
      reply.code(204).headers(FILE_PREFLIGHT_HEADERS).send(),
    );
    files.route<{ Params: FileParams }>({
      method: ['GET', 'HEAD'],
      url: FILE_URL,
      exposeHeadRoute: false,
      logLevel: 'warn',
      handler: (request, reply) => serve(deps, request, reply),
    });
    files.put<{ Params: FileParams }>(FILE_URL, async (request, reply) => {
      const { token, '*': key } = request.params;
      const verdict = deps.urls.verify(token, { action: 'put', key });
      if (!verdict.ok || verdict.grant.action !== 'put') return refuse(reply, verdict);
      const { jobs } = deps.graphql;
      const run = runOfJobFile(key);
      if (run !== null) return receiveUpload(jobFilePlan(deps, run, verdict.grant), request, reply);
      const { store, times = HTTP_TIMES } = deps;
      const { grant } = verdict;
      const { hold, publishing } = await uploadOf(jobs, key, grant.maxSizeBytes);
      const plan = { store, grant, hold, publishing, idleMs: times.uploadIdleMs };
      return lockedAside(request, reply, () => receiveUpload(plan, request, reply));
    });
    done();
  });
}

/** Looked at before the body is taken in, and again under a lock when the file gets its name. */
async function uploadOf(
  jobs: HttpDeps['graphql']['jobs'],
  key: string,
  grantedBytes: number,
): Promise<Pick<UploadPlan, 'hold' | 'publishing'>> {
  const recording = await findCallRecordingUpload(jobs, key);
  if (recording !== null)
    return {
      hold: async (sizeBytes) => ({
        maxSizeBytes: Math.min(grantedBytes, await recording.roomBytes(sizeBytes)),
        signal: new AbortController().signal,
        release: async () => undefined,
      }),
      publishing: (publish) => recording.publish(publish),
    };
  const target = await findUpload(jobs, key);
  return {
    hold: (sizeBytes) => PutHold.take(jobs, target, sizeBytes, grantedBytes),
    publishing: (publish) => publishUpload(jobs, target, publish),
  };
}

async function serve(
  deps: HttpDeps,
  request: FastifyRequest<{ Params: FileParams }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token, '*': key } = request.params;
  const verdict = deps.urls.verify(token, { action: 'get', key });
  if (!verdict.ok) return refuse(reply, verdict);
  const lifeSeconds = secondsUntil(verdict.expiresAt);
  const { grant } = verdict;
  if (grant.action === 'getPart') return servePart(deps, grant, lifeSeconds, reply);
  if (grant.action === 'getTextTrack') return serveTextTrack(deps, grant, lifeSeconds, request, reply);
  if (grant.action === 'get' && grant.fileName !== null)
    reply.header('content-disposition', dispositionOf(grant.fileName));
  const setHead = (answer: FileAnswer): void => {
    reply.code(answer.status).headers(answer.headers as Record<string, string>);
    reply.header('cache-control', cacheControlOf(key, lifeSeconds));
  };
  if (request.method === 'HEAD') {
    const stat = await deps.store.stat(key);
    if (stat === null) return sendProblem(reply, 404, 'ObjectNotFound', 'There is no such file.');
    setHead(answerFor(request.headers, stat));
    return reply.send();
  }
  // What names others is never given away by a redirect: the names are relative to the URL that it came from,
  // and only ours is good for all.
  if (deps.urls.direct !== undefined && !namesOthers(key)) {
    const { url, expiresAt } = await deps.urls.direct(key, {
      expiresInSeconds: deps.config.signedUrlSeconds,
      notAfter: verdict.expiresAt,
    });
    reply.header('cache-control', `private, max-age=${secondsUntil(expiresAt)}`);
    return reply.redirect(url, 302);
  }
  // Opened once: head and bytes are of the same object, whatever is put under the key meanwhile.
  let answer: FileAnswer | undefined;
  const choose = (stat: ObjectStat) => {
    answer = answerFor(request.headers, stat);
    return answer.range;
  };
  const body = await deps.store.get(key, { range: choose });
  answer ??= answerFor(request.headers, body.stat);
  setHead(answer);
  if (answer.status === 304 || answer.status === 416) {
    body.stream.destroy();
    return reply.send();
  }
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  // A client that leaves in the middle (players do, at every seek) is no error.
  await pipeline(body.stream, reply.raw).catch(() => undefined);
  return reply;
}

/**
 * A file of a run, for as long as the run goes on: looked at before the body is taken in, and again when the
 * file gets its name.
 */
function jobFilePlan(
  { graphql: { jobs }, store, times = HTTP_TIMES }: HttpDeps,
  run: JobFileRun,
  grant: UploadPlan['grant'],
): UploadPlan {
  const { maxSizeBytes } = grant;
  const hold = async (sizeBytes: number | null) => {
    await checkRunGoesOn(jobs, run);
    const room = await holdRoomForJobFile(jobs, run, grant.key, { sizeBytes, maxSizeBytes });
    return {
      maxSizeBytes: room,
      signal: new AbortController().signal,
      release: async (storedBytes: number | null) => {
        if (storedBytes !== null) await storedJobFile(jobs, grant.key, storedBytes);
      },
    };
  };
  const publishing = async (publish: () => Promise<void>) => {
    await checkRunGoesOn(jobs, run);
    await publish();
  };
  return { store, grant, hold, publishing, idleMs: times.uploadIdleMs };
}

function refuse(reply: FastifyReply, verdict: TokenVerdict): FastifyReply {
  const reason = verdict.ok ? 'wrongAction' : verdict.reason;
  const message =
    reason === 'expired' ? 'This URL has expired; ask for a new one.' : 'This URL does not allow that.';
  return sendProblem(reply, 403, 'InvalidSignature', message, { reason });
}
