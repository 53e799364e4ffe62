import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '../core/ids.ts';
import { textTrack } from '../domains/search/api.ts';
import { contentTypeOfKey } from '../storage/content-type.ts';
import type { TextTrackGrant } from '../storage/file-token.ts';
import { videoOfTextTrack } from '../storage/video-keys.ts';
import type { HttpDeps } from './deps.ts';
import { sendProblem } from './problem.ts';

/**
 * While a video is being read, its track grows; a page that opens the same video again within this time has
 * the same one.
 */
const FRESH_SECONDS = 30;

/**
 * Answers with the texts of a video as a WebVTT file, which is read from the database as the client takes it.
 * @param lifeSeconds for how long the URL that was asked for is good
 */
export async function serveTextTrack(
  { graphql }: Pick<HttpDeps, 'graphql'>,
  { key, tenantId }: TextTrackGrant,
  lifeSeconds: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const videoId = videoOfTextTrack(key);
  const track =
    videoId === null || !isUuid(tenantId) ? null : await textTrack(graphql.reads, { tenantId, videoId });
  if (track === null) return sendProblem(reply, 404, 'ObjectNotFound', 'There is no such video.');
  reply.headers({
    'content-type': contentTypeOfKey(key),
    'cache-control': `private, max-age=${Math.min(FRESH_SECONDS, lifeSeconds)}`,
  });
  if (request.method === 'HEAD') {
    await track.return();
    return reply.send();
  }
  return reply.send(Readable.from(track, { objectMode: false }));
}
