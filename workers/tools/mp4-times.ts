import { TOLERANCE_SECONDS } from './frame-times.ts';
import { boxAt, boxesIn, readMoov } from './mp4-boxes.ts';

export interface Mp4TimesQuery {
  /** Absolute path. */
  readonly path: string;
  /** The index of the picture stream, as ffprobe numbers it: by the order of tracks. */
  readonly streamIndex: number;
  /** The file's first time stamp, as ffprobe reports it. */
  readonly startSeconds: number;
  /** From the start of the file. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** Pictures so long after the range are reported, too. */
const MORE_SECONDS = 1;
/** Nine hours at 60 a second, in some 10 ms. A table may claim any number, and would keep the event loop. */
const MAX_PICTURES = 2_000_000;

/**
 * When the pictures of a range are shown, as `frameTimes` gives it, out of the file's own tables (ISO/IEC
 * 14496-12, sections 8.6.1 and 8.6.6): in some milliseconds, where a program that reads an hour's index takes
 * a third of a second.
 * @returns null for what only ffmpeg is to be trusted with: another format, a fragmented or a cut file, one
 *   with an edit list of more than a plain beginning, or with pictures that are shown before they are decoded
 */
export async function mp4Times(query: Mp4TimesQuery): Promise<readonly number[] | null> {
  const moov = await readMoov(query.path);
  if (moov === null) return null;
  try {
    const track = trackAt(moov.body, query.streamIndex);
    return track === null ? null : timesOf(track, query);
  } catch (error) {
    // A table that says more than it holds.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

interface Track {
  readonly timescale: number;
  /** Runs of how many pictures, and how long each lasts. */
  readonly durations: Buffer;
  /** Runs of how many pictures, and how long after its decoding each is shown; null: at once. */
  readonly offsets: Buffer | null;
  readonly edit: Edit | null;
}

/** What is played of a track: from a time on, for so long. */
interface Edit {
  readonly startTicks: number;
  readonly lengthSeconds: number;
}

function trackAt(moov: Buffer, index: number): Track | null {
  const boxes = [...boxesIn(moov)];
  const movieHeader = boxes.find(({ type }) => type === 'mvhd')?.body;
  const trak = boxes.filter(({ type }) => type === 'trak')[index]?.body;
  if (boxes.some(({ type }) => type === 'mvex') || movieHeader === undefined || trak === undefined)
    return null;
  const header = boxAt(trak, 'mdia', 'mdhd');
  const handler = boxAt(trak, 'mdia', 'hdlr');
  const tables = boxAt(trak, 'mdia', 'minf', 'stbl');
  if (header === undefined || handler?.toString('latin1', 8, 12) !== 'vide' || tables === undefined)
    return null;
  const durations = boxAt(tables, 'stts');
  const timescale = timescaleOf(header);
  const edits = boxAt(trak, 'edts', 'elst');
  const edit = edits === undefined ? null : editOf(edits, timescaleOf(movieHeader));
  if (durations === undefined || timescale === 0 || edit === undefined) return null;
  return { timescale, durations, offsets: boxAt(tables, 'ctts') ?? null, edit };
}

/** Reads the time scale of `mvhd` or `mdhd`, which begin alike. */
function timescaleOf(header: Buffer): number {
  return header.readUInt32BE(header[0] === 1 ? 20 : 12);
}

/** Undefined for a list that says more than where the track begins. */
function editOf(elst: Buffer, movieTimescale: number): Edit | undefined {
  const isLong = elst[0] === 1;
  if (elst.readUInt32BE(4) !== 1 || movieTimescale === 0) return undefined;
  const length = isLong ? Number(elst.readBigUInt64BE(8)) : elst.readUInt32BE(8);
  const startTicks = isLong ? Number(elst.readBigInt64BE(16)) : elst.readInt32BE(12);
  const isPlain = elst.readUInt32BE(isLong ? 24 : 16) === 0x1_0000;
  return isPlain && startTicks >= 0 && length > 0
    ? { startTicks, lengthSeconds: length / movieTimescale }
    : undefined;
}

function timesOf(track: Track, query: Mp4TimesQuery): readonly number[] | null {
  const { timescale, durations, offsets, edit } = track;
  const runs = durations.readUInt32BE(4);
  let pictures = 0;
  for (let run = 0; run < runs; run++) {
    pictures += durations.readUInt32BE(8 + 8 * run);
    if (pictures > MAX_PICTURES) return null;
  }
  const startTicks = edit?.startTicks ?? 0;
  const until = query.toSeconds + MORE_SECONDS;
  const offsetRuns = offsets?.readUInt32BE(4) ?? 0;
  let [firstTicks, lastTicks] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [offsetRun, offsetLeft, offset] = [0, 0, 0];
  let onScreen = Number.NEGATIVE_INFINITY;
  const later: number[] = [];
  let decodedTicks = 0;
  for (let run = 0; run < runs; run++) {
    const count = durations.readUInt32BE(8 + 8 * run);
    const duration = durations.readUInt32BE(12 + 8 * run);
    for (let n = 0; n < count; n++, decodedTicks += duration) {
      while (offsetLeft === 0 && offsetRun < offsetRuns) {
        offsetLeft = (offsets as Buffer).readUInt32BE(8 + 8 * offsetRun);
        offset = (offsets as Buffer).readInt32BE(12 + 8 * offsetRun++);
      }
      if (offsetLeft > 0) offsetLeft--;
      else offset = 0;
      if (offset < 0) return null;
      const ticks = decodedTicks + offset;
      if (ticks < firstTicks) firstTicks = ticks;
      if (ticks > lastTicks) lastTicks = ticks;
      const seconds = microseconds((ticks - startTicks) / timescale) - query.startSeconds;
      if (seconds > until) continue;
      if (seconds > query.fromSeconds + TOLERANCE_SECONDS) later.push(seconds);
      else if (seconds > onScreen) onScreen = seconds;
    }
  }
  // What an edit cuts off is for ffmpeg to say.
  if (
    edit !== null &&
    (firstTicks !== startTicks || (lastTicks - startTicks) / timescale >= edit.lengthSeconds)
  )
    return null;
  later.sort((a, b) => a - b);
  return Number.isFinite(onScreen) ? [onScreen, ...later] : later;
}

function microseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
