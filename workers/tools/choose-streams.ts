/** How much there is of a stream; null where that is not known. */
export interface StreamAmount {
  readonly count: number | null;
  readonly seconds: number | null;
}

interface Choosable {
  readonly index: number;
  readonly isDefault: boolean;
}

interface ChoosableVideo extends Choosable {
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * A stream that is shorter than this share of the longest of its kind is a beginning or an insert, not what
 * people would watch.
 */
const MIN_SHARE = 0.5;

/**
 * The video that people would watch: not a still picture or a short insert where there is more, else the one
 * that the file marks, the largest, the one with the most pictures, the first.
 * @param amountOf how much there is of each
 */
export function chooseVideo<Stream extends ChoosableVideo>(
  videos: readonly Stream[],
  amountOf: (stream: Stream) => StreamAmount,
): Stream | null {
  const moving = videos.filter((stream) => (amountOf(stream).count ?? 2) > 1);
  const candidates = longEnough(moving.length > 0 ? moving : videos, amountOf);
  const area = ({ widthPx, heightPx }: Stream) => widthPx * heightPx;
  const [best] = candidates.toSorted(
    (a, b) =>
      Number(b.isDefault) - Number(a.isDefault) ||
      area(b) - area(a) ||
      (amountOf(b).count ?? 0) - (amountOf(a).count ?? 0) ||
      a.index - b.index,
  );
  return best ?? null;
}

/**
 * The sound that people would hear: the first that is not a short insert, one that the file marks before
 * others.
 */
export function chooseAudio<Stream extends Choosable>(
  audios: readonly Stream[],
  amountOf: (stream: Stream) => StreamAmount,
): Stream | null {
  const [best] = longEnough(audios, amountOf).toSorted(
    (a, b) => Number(b.isDefault) - Number(a.isDefault) || a.index - b.index,
  );
  return best ?? null;
}

function longEnough<Stream>(
  streams: readonly Stream[],
  amountOf: (stream: Stream) => StreamAmount,
): readonly Stream[] {
  const longest = Math.max(0, ...streams.map((stream) => amountOf(stream).seconds ?? 0));
  return streams.filter((stream) => (amountOf(stream).seconds ?? longest) >= MIN_SHARE * longest);
}
