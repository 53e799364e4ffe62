import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { beginUpload, type PieceResult, ResumableUploads, type UploadView } from '../domains/videos/api.ts';
import type { UploadRefusal } from '../storage/upload-token.ts';
import { UPLOAD_CORS_HEADERS, UPLOAD_PREFLIGHT_HEADERS } from './cors.ts';
import type { HttpDeps } from './deps.ts';
import { lockedAside } from './locked.ts';
import { sendProblem } from './problem.ts';
import { bodyOf } from './request-body.ts';
import { HTTP_TIMES } from './times.ts';
import { bytesHeader, lengthOf, metadataOf, PIECE_TYPE, TUS_EXTENSIONS, TUS_VERSION } from './tus-headers.ts';

/** Where resumable uploads are, before their tokens. */
export const UPLOADS_PATH = '/uploads/';
const UPLOAD_URL = `${UPLOADS_PATH}:token`;

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;
type Method = 'HEAD' | 'PATCH' | 'DELETE';

/**
 * Resumable uploads by tus 1.0 (https://tus.io/protocols/resumable-upload) under signed URLs: `createVideo`
 * gives the one to begin at, the answer to that the one to go on at. The token in the path is the permission,
 * no other identity is asked for.
 */
export function addTusRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { jobs } = deps.graphql;
  const uploads = new ResumableUploads(jobs, deps.log);
  app.addHook('preClose', async () => uploads.stopAll());
  app.register((routes, _options, done) => {
    // Bodies go to the store as they come; nothing of an upload is held in memory.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    routes.addHook('onRequest', async (_request, reply) => {
      reply.headers({
        ...UPLOAD_CORS_HEADERS,
        'tus-resumable': TUS_VERSION,
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
    });
    routes.options(`${UPLOADS_PATH}*`, (_request, reply) =>
      reply
        .code(204)
        .headers({
          ...UPLOAD_PREFLIGHT_HEADERS,
          'tus-version': TUS_VERSION,
          'tus-extension': TUS_EXTENSIONS,
          'tus-max-size': String(jobs.config.maxUploadBytes),
        })
        .send(),
    );
    routes.post(UPLOAD_URL, (request: TokenRequest, reply) => {
      // For what stands between and lets no other method through.
      const method = request.headers['x-http-method-override'];
      return method === 'HEAD' || method === 'PATCH' || method === 'DELETE'
        ? goOn(deps, uploads, method, request, reply)
        : begin(deps, uploads, request, reply);
    });
    routes.route({
      method: ['HEAD', 'PATCH', 'DELETE'],
      url: UPLOAD_URL,
      logLevel: 'warn',
      handler: (request, reply) =>
        goOn(deps, uploads, request.method as Method, request as TokenRequest, reply),
    });
    done();
  });
}

async function begin(
  deps: HttpDeps,
  uploads: ResumableUploads,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { jobs } = deps.graphql;
  const verdict = jobs.uploadUrls.verify(request.params.token, 'begin');
  if (!verdict.ok) return refuse(reply, verdict.reason);
  if (!hasVersion(request)) return refuseVersion(reply);
  const { headers } = request;
  const sizeBytes = bytesHeader(headers, 'upload-length', 1);
  const metadata = metadataOf(headers);
  return lockedAside(request, reply, async () => {
    const begun = await beginUpload(jobs, verdict.grant, { sizeBytes, metadata });
    reply.headers({ location: begun.url, 'upload-expires': begun.expiresAt.toUTCString() });
    let offsetBytes = 0;
    if (headers['content-type'] === PIECE_TYPE) {
      const piece = { offsetBytes, lengthBytes: lengthOf(headers), body: bodyFor(deps, request) };
      ({ offsetBytes } = await uploads.append(begun.uploadId, piece));
    }
    return reply.code(201).header('upload-offset', String(offsetBytes)).send();
  });
}

async function goOn(
  deps: HttpDeps,
  uploads: ResumableUploads,
  method: Method,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const verdict = deps.graphql.jobs.uploadUrls.verify(request.params.token, 'resume');
  if (!verdict.ok) return refuse(reply, verdict.reason);
  if (!hasVersion(request)) return refuseVersion(reply);
  const { uploadId } = verdict.grant;
  return lockedAside(request, reply, async () => {
    switch (method) {
      case 'HEAD':
        return showView(reply.code(200), await uploads.look(uploadId)).send();
      case 'DELETE':
        await uploads.terminate(uploadId);
        return reply.code(204).send();
      case 'PATCH':
        return take(deps, uploads, uploadId, request, reply);
    }
  });
}

async function take(
  deps: HttpDeps,
  uploads: ResumableUploads,
  uploadId: string,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers } = request;
  if (headers['content-type'] !== PIECE_TYPE) {
    const details = { field: 'content-type', allowed: PIECE_TYPE };
    return sendProblem(reply, 415, 'UnsupportedMediaType', `Pieces are ${PIECE_TYPE}.`, details);
  }
  const offsetBytes = bytesHeader(headers, 'upload-offset', 0);
  const piece = { offsetBytes, lengthBytes: lengthOf(headers), body: bodyFor(deps, request) };
  const result = await uploads.append(uploadId, piece);
  if (result.kind === 'taken') return showView(reply.code(204), result).send();
  return refuseOffset(reply, offsetBytes, result);
}

function bodyFor({ times = HTTP_TIMES }: HttpDeps, { raw }: TokenRequest) {
  return bodyOf(raw, { idleMs: times.uploadIdleMs });
}

function showView(reply: FastifyReply, view: UploadView): FastifyReply {
  return reply.headers({
    'upload-offset': String(view.offsetBytes),
    'upload-length': String(view.sizeBytes),
    'upload-expires': view.expiresAt.toUTCString(),
    ...(view.metadata !== '' && { 'upload-metadata': view.metadata }),
  });
}

function refuseOffset(
  reply: FastifyReply,
  given: number,
  { offsetBytes, sizeBytes }: PieceResult,
): FastifyReply {
  const allowed = String(offsetBytes);
  const message = `The piece begins at ${given}; the upload has ${offsetBytes} of ${sizeBytes} bytes.`;
  return sendProblem(reply.header('upload-offset', allowed), 409, 'OffsetMismatch', message, {
    field: 'upload-offset',
    allowed,
  });
}

function hasVersion({ headers }: TokenRequest): boolean {
  return headers['tus-resumable'] === TUS_VERSION;
}

function refuseVersion(reply: FastifyReply): FastifyReply {
  const details = { field: 'tus-resumable', allowed: TUS_VERSION };
  const message = `Tus-Resumable must be ${TUS_VERSION}.`;
  return sendProblem(reply.header('tus-version', TUS_VERSION), 412, 'UnsupportedVersion', message, details);
}

function refuse(reply: FastifyReply, reason: UploadRefusal): FastifyReply {
  const message =
    reason === 'expired' ? 'This URL has expired; ask for a new one.' : 'This URL does not allow that.';
  return sendProblem(reply, 403, 'InvalidSignature', message, { reason });
}
