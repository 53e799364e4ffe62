import type { PixelBox, TextWord } from '../../../src/text/text-line.ts';
import { boxAround, type ReadWord } from './read-tsv.ts';

/** Words of a line, from left to right. */
export type WordLine = readonly TextWord[];

/** Two boxes that share more of the smaller one are two readings of the same word. */
const SAME_SHARE = 0.4;
/**
 * Words that share this much of the lower one's height stand in one line, if they are no further apart than
 * this many heights.
 */
const LINE_SHARE = 0.6;
const LINE_GAP_HEIGHTS = 2.5;
/** Larger than this share of the picture's height is no print but a picture's edge. */
const MAX_HEIGHT_SHARE = 0.35;

/**
 * Joins two readings of the same picture: of words at the same place the one that the reader is surer of, and
 * all that only one of them has found. Then words that stand beside each other make lines.
 */
export function joinReadings(
  first: readonly ReadWord[],
  second: readonly ReadWord[],
  heightPx: number,
): readonly WordLine[] {
  const isPrint = ({ height, width }: ReadWord) =>
    height <= MAX_HEIGHT_SHARE * heightPx && height > 0 && width > 0;
  // The surest first, so that each place goes to its best reading; the order is total, so that the same
  // picture gives the same words.
  const candidates = [...first, ...second]
    .filter(isPrint)
    .sort((a, b) => weight(b) - weight(a) || a.y - b.y || a.x - b.x || (a.text < b.text ? -1 : 1));
  const kept: ReadWord[] = [];
  for (const word of candidates)
    if (!kept.some((other) => sharedOfSmaller(word, other) > SAME_SHARE)) kept.push(word);
  return toLines(kept);
}

/** Longer words are surer at the same confidence: a speck is often a sure "i". */
function weight({ confidence, text }: ReadWord): number {
  return confidence * Math.min(1, 0.7 + 0.1 * text.length);
}

function sharedOfSmaller(a: PixelBox, b: PixelBox): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / Math.min(a.width * a.height, b.width * b.height);
}

function toLines(words: readonly ReadWord[]): readonly WordLine[] {
  const lines: TextWord[][] = [];
  for (const word of [...words].sort((a, b) => a.x - b.x || a.y - b.y)) {
    const line = lines.find((candidate) => continues(candidate, word));
    if (line === undefined) lines.push([plain(word)]);
    else line.push(plain(word));
  }
  const placed = lines.map((line) => ({ line, box: boxAround(line) }));
  return placed.sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x).map(({ line }) => line);
}

/** Whether a word goes on with a line to its right. */
function continues(line: readonly TextWord[], word: ReadWord): boolean {
  const last = line.at(-1) as TextWord;
  const shared = Math.min(last.y + last.height, word.y + word.height) - Math.max(last.y, word.y);
  const lower = Math.min(last.height, word.height);
  const gap = word.x - (last.x + last.width);
  return shared >= LINE_SHARE * lower && gap <= LINE_GAP_HEIGHTS * Math.max(last.height, word.height);
}

function plain({ text, confidence, x, y, width, height }: ReadWord): TextWord {
  return { text, confidence, x, y, width, height };
}
