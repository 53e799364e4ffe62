import { stat } from 'node:fs/promises';
import type { PayloadOf } from '../../../src/core/definition.ts';
import { done, type Outcome } from '../../../src/core/outcome.ts';
import type { transcode } from '../../../src/domains/videos/definitions/transcode.ts';
import type { TranscodeResult } from '../../../src/domains/videos/pipeline/stage-results.ts';
import { playlistKey, posterKey } from '../../../src/storage/video-keys.ts';
import type { Handler, HandlerContext } from '../../handler.ts';
import { MediaToolError } from '../../tools/media-error.ts';
import { artifactOf } from './artifact-record.ts';
import { type EncodedStream, encode } from './encode.ts';
import { mediaToKeep } from './known-media.ts';
import type { TranscodeLimits } from './limits.ts';
import type { TranscodeOwn } from './own.ts';
import {
  findPublished,
  identityOf,
  type PlaylistMetadata,
  type SourceIdentity,
  segmentGeneration,
} from './published.ts';
import { requireMedia } from './require-media.ts';
import { openSource, statOriginal, videoOfPayload } from './source.ts';
import type { MeasuredSource } from './video-source.ts';

type TranscodePayload = PayloadOf<typeof transcode>;

/**
 * The video system's contract, section 1: makes the HLS stream and the poster of an original. Segments go to
 * the store under names of this run, with playlists of this run that grow with them; then, after a look at
 * the lease, the poster and at last the playlist get their fixed names.
 */
export function createTranscode(limits: TranscodeLimits): Handler<TranscodePayload, TranscodeOwn> {
  return async (context) => {
    const { payload, own, tools } = context;
    const videoId = videoOfPayload(payload, context.subject);
    context.progress({ stage: 'probe', percent: 0 });
    await own.video.begin();
    const original = await statOriginal(context, payload.s3_original_path, limits);
    const identity = identityOf(original);
    const artifacts = await context.artifacts.find();
    const earlier = await findPublished(videoId, identity, artifacts, tools.storage);
    if (earlier !== null) {
      context.log.info('An earlier run has made all of it');
      return done(earlier.result, earlier.artifacts);
    }

    const media = requireMedia(own.media);
    const source = await openSource(context, media, payload.s3_original_path, limits);
    const generation = segmentGeneration(videoId, context.runNo, artifacts);
    const encoded = await encode(context, { videoId, generation, source, media, limits });
    return await publish(context, videoId, identity, source, encoded);
  };
}

async function publish(
  context: HandlerContext,
  videoId: string,
  identity: SourceIdentity,
  source: MeasuredSource,
  encoded: EncodedStream,
): Promise<Outcome> {
  const { tools, signal } = context;
  if ((await stat(encoded.posterPath)).size === 0)
    throw new MediaToolError('failed', 'ffmpeg wrote an empty poster');
  // From here to the end as little as possible may happen: a run that was overtaken must not get past the
  // fence.
  await context.fence();
  const poster = await tools.storage.put(posterKey(videoId), { path: encoded.posterPath }, { signal });
  const playlist = await tools.storage.put(playlistKey(videoId), { path: encoded.playlistPath }, { signal });
  const result = resultOf(videoId, source, encoded);
  const metadata: PlaylistMetadata = { source: identity, result, media: mediaToKeep(source.info) };
  // A stream that is being watched stays the preview: the video's own follows without a gap.
  const preview = encoded.isWatchable ? {} : { preview: poster.key };
  context.progress({ stage: 'upload', percent: 100, etaSeconds: 0, ...preview });
  return done(result, [
    ...encoded.renditions.flatMap(({ segments }) =>
      segments.map(({ stored }) => artifactOf('hls_segment', stored)),
    ),
    ...encoded.renditionPlaylists.map((rendition) => artifactOf('hls_rung', rendition)),
    artifactOf('poster', poster),
    artifactOf('hls_playlist', playlist, metadata),
  ]);
}

function resultOf(
  videoId: string,
  { video, timing }: MeasuredSource,
  { renditions }: EncodedStream,
): TranscodeResult {
  // A single picture has no rate; it is shown the whole time.
  const fps = video.fps ?? 1 / Math.max(timing.endSeconds, 0.001);
  return {
    playlistKey: playlistKey(videoId),
    posterKey: posterKey(videoId),
    durationMs: Math.round(timing.endSeconds * 1000),
    widthPx: video.displayWidthPx,
    heightPx: video.displayHeightPx,
    fps: Math.round(fps * 1000) / 1000,
    segmentCount: renditions[0]?.segments.length ?? 0,
    renditions: renditions.map(({ rendition }) => rendition.size),
  };
}
