import { text } from 'node:stream/consumers';
import type { FastifyReply } from 'fastify';
import { lifeOfPlayed } from '../jobs/url-life.ts';
import { contentTypeOfKey } from '../storage/content-type.ts';
import type { PartGrant } from '../storage/file-token.ts';
import { bestRendition, partOf, writePart } from '../storage/hls-part.ts';
import type { HttpDeps } from './deps.ts';
import { sendProblem } from './problem.ts';
import { secondsUntil } from './seconds-until.ts';

/** What a player waits before it asks for a growing playlist again. */
const RETRY_SECONDS = 2;

/**
 * Answers with a playlist of the segments that show a part of a video: all of it, or as much as there is
 * while the video is still being transcoded, in which case the player asks again. Their URLs are good for as
 * long as the part plays, from now.
 * @param lifeSeconds for how long the URL that was asked for is good
 */
export async function servePart(
  { store, urls, config }: Pick<HttpDeps, 'store' | 'urls' | 'config'>,
  grant: PartGrant,
  lifeSeconds: number,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const read = async (key: string): Promise<string> => text((await store.get(key)).stream);
  let key = grant.key;
  let playlist = await read(key);
  const rendition = bestRendition(playlist);
  if (rendition !== null) {
    key = besides(key, rendition);
    playlist = await read(key);
  }
  const part = partOf(playlist, grant);
  if (part.segments.length === 0)
    return sendProblem(
      part.complete ? reply : reply.header('retry-after', String(RETRY_SECONDS)),
      404,
      'ObjectNotFound',
      part.complete ? 'The video has no such part.' : 'This part of the video is not there yet.',
    );
  const life = lifeOfPlayed(config, grant.endMs - grant.startMs);
  const signed = await Promise.all(part.segments.map(({ name }) => urls.get(besides(key, name), life)));
  // One out of a cache must still be playable.
  const freshSeconds = Math.min(lifeSeconds, ...signed.map(({ expiresAt }) => secondsUntil(expiresAt)));
  return reply
    .headers({
      'content-type': contentTypeOfKey(grant.key),
      'cache-control': part.complete ? `private, max-age=${freshSeconds}` : 'no-store',
    })
    .send(
      writePart(
        part,
        grant,
        signed.map(({ url }) => url),
      ),
    );
}

/** The key of what a playlist names by a name relative to itself. */
function besides(playlistKey: string, name: string): string {
  return playlistKey.slice(0, playlistKey.lastIndexOf('/') + 1) + name;
}
