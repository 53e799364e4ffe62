import type { ReadDatabase } from '../../../db/prisma.ts';
import type { TextTrackOwner } from '../../../storage/url-signer.ts';
import { type PictureSize, WEB_VTT_HEAD, webVttCue } from '../../../text/web-vtt.ts';
import { segmentsOfTrack, type TrackSegmentRow } from '../sql/segments-of-track.ts';
import { storedBox } from './stored-box.ts';

/** Segments that are in memory at a time, for each one who reads a track. */
const PAGE_SEGMENTS = 500;
/**
 * A video whose every second has its own words for a whole day has fewer; players hold all cues in memory.
 */
const MAX_CUES = 200_000;

const START = { startMs: -1n, id: '00000000-0000-0000-0000-000000000000' };

/**
 * The texts of a video as a WebVTT file, in pieces: a read transaction for each, so that a client that takes
 * its time holds none.
 * @returns null where the tenant has no such video
 */
export async function textTrack(
  database: Pick<ReadDatabase, 'read'>,
  owner: TextTrackOwner,
): Promise<AsyncGenerator<string, void> | null> {
  const video = await findVideo(database, owner);
  if (video === null) return null;
  const pieces = writePieces(database, owner, video.picture);
  // Read before the answer begins: while the database is away, it is an error and no file that breaks off.
  const first = await pieces.next();
  return (async function* () {
    if (first.value !== undefined) yield first.value;
    yield* pieces;
  })();
}

async function* writePieces(
  database: Pick<ReadDatabase, 'read'>,
  owner: TextTrackOwner,
  picture: PictureSize | null,
): AsyncGenerator<string, void> {
  let head = WEB_VTT_HEAD;
  let after: Pick<TrackSegmentRow, 'startMs' | 'id'> = START;
  for (let count = 0; count < MAX_CUES; count += PAGE_SEGMENTS) {
    const rows = await findPage(database, owner, after);
    yield head + rows.map((row) => cueOf(row, picture)).join('');
    head = '';
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SEGMENTS) return;
    after = last;
  }
  yield `NOTE Texts behind the first ${MAX_CUES} are left out.\n`;
}

async function findVideo(
  database: Pick<ReadDatabase, 'read'>,
  { tenantId, videoId }: TextTrackOwner,
): Promise<{ readonly picture: PictureSize | null } | null> {
  const reads = database.read({ role: 'api', tenantId });
  try {
    const prisma = await reads.prisma();
    const video = await prisma.video.findFirst({
      where: { tenantId, id: videoId },
      select: { widthPx: true, heightPx: true },
    });
    if (video === null) return null;
    const { widthPx, heightPx } = video;
    return { picture: widthPx === null || heightPx === null ? null : { widthPx, heightPx } };
  } finally {
    await reads.close();
  }
}

async function findPage(
  database: Pick<ReadDatabase, 'read'>,
  { tenantId, videoId }: TextTrackOwner,
  { startMs, id }: Pick<TrackSegmentRow, 'startMs' | 'id'>,
): Promise<TrackSegmentRow[]> {
  const reads = database.read({ role: 'api', tenantId });
  try {
    return await reads.query<TrackSegmentRow>(segmentsOfTrack, [
      tenantId,
      videoId,
      startMs,
      id,
      PAGE_SEGMENTS,
    ]);
  } finally {
    await reads.close();
  }
}

function cueOf(
  { id, startMs, endMs, text, boundingBox }: TrackSegmentRow,
  picture: PictureSize | null,
): string {
  const cue = { id, startMs: Number(startMs), endMs: Number(endMs), text, box: storedBox(boundingBox) };
  return webVttCue(cue, picture);
}
