import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsUpload } from '../jobs/accept-upload.ts';
import { resolveRange } from '../storage/byte-range.ts';
import type { TokenVerdict } from '../storage/file-token.ts';
import type { ObjectStat } from '../storage/object-store.ts';
import type { HttpDeps } from './deps.ts';
import { sendProblem } from './problem.ts';
import { receiveUpload } from './upload.ts';

interface FileParams {
  token: string;
  '*': string;
}

/**
 * The files of the local store under signed URLs: the token in the path is the permission, no other identity is asked for.
 * Any page may read them (a player on another origin), and none can run a script that somebody uploaded.
 */
export function addFileRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.register((files, _options, done) => {
    // Bodies go to the store as they come; nothing of an upload is held in memory.
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    files.addHook('onRequest', async (_request, reply) => {
      reply.headers({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'accept-ranges, content-length, content-range, etag',
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      });
    });
    files.route<{ Params: FileParams }>({
      method: ['GET', 'HEAD'],
      url: '/files/:token/*',
      exposeHeadRoute: false,
      logLevel: 'warn',
      handler: (request, reply) => serve(deps, request, reply),
    });
    files.put<{ Params: FileParams }>('/files/:token/*', async (request, reply) => {
      const { token, '*': key } = request.params;
      const verdict = deps.urls.verify(token, { action: 'put', key });
      if (!verdict.ok || verdict.grant.action !== 'put') return refuse(reply, verdict);
      if (!(await acceptsUpload(deps.graphql.jobs, key)))
        return sendProblem(reply, 409, 'UploadClosed', 'The upload of this video is completed already.');
      return receiveUpload(deps.store, verdict.grant, request, reply);
    });
    done();
  });
}

async function serve(
  deps: HttpDeps,
  request: FastifyRequest<{ Params: FileParams }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token, '*': key } = request.params;
  const verdict = deps.urls.verify(token, { action: 'get', key });
  if (!verdict.ok) return refuse(reply, verdict);
  const stat = await deps.store.stat(key);
  if (stat === null) return sendProblem(reply, 404, 'ObjectNotFound', 'There is no such file.');
  const etag = etagOf(stat);
  const lifeSeconds = Math.max(0, Math.floor((verdict.expiresAt.getTime() - Date.now()) / 1000));
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${lifeSeconds}`,
    'content-type': stat.contentType,
    'last-modified': stat.modifiedAt.toUTCString(),
  });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const ifRange = request.headers['if-range'];
  const range = resolveRange(
    ifRange === undefined || ifRange === etag ? request.headers.range : undefined,
    stat.sizeBytes,
  );
  if (range.kind === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${stat.sizeBytes}`).send();
  const lengthBytes =
    range.kind === 'whole' ? stat.sizeBytes : range.range.lastByte - range.range.firstByte + 1;
  reply.header('content-length', lengthBytes);
  if (range.kind === 'partial') {
    const { firstByte, lastByte } = range.range;
    reply.code(206).header('content-range', `bytes ${firstByte}-${lastByte}/${stat.sizeBytes}`);
  }
  if (request.method === 'HEAD') return reply.send();
  const body = await deps.store.get(key, range.kind === 'partial' ? { range: range.range } : {});
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  // A client that leaves in the middle (players do, at every seek) is no error.
  await pipeline(body.stream, reply.raw).catch(() => undefined);
  return reply;
}

function refuse(reply: FastifyReply, verdict: TokenVerdict): FastifyReply {
  const reason = verdict.ok ? 'wrongAction' : verdict.reason;
  const message =
    reason === 'expired' ? 'This URL has expired; ask for a new one.' : 'This URL does not allow that.';
  return sendProblem(reply, 403, 'InvalidSignature', message, { reason });
}

function etagOf(stat: ObjectStat): string {
  return `"${stat.sha256 ?? `${stat.sizeBytes.toString(36)}-${stat.modifiedAt.getTime().toString(36)}`}"`;
}

function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((entry) => ['*', etag, `W/${etag}`].includes(entry.trim()));
}
