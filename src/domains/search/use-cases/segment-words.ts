import type { SegmentRow } from '../../../db/prisma.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import type { SignedUrl } from '../../../storage/url-signer.ts';
import { frameKey } from '../../../storage/video-keys.ts';
import type { TextWord } from '../../../text/text-line.ts';

/** The words of a segment, in reading order; those that a foreign writer left without a box are omitted. */
export function segmentWords({ words }: Pick<SegmentRow, 'words'>): TextWord[] {
  return Array.isArray(words) ? (words as unknown[]).filter(isWord) : [];
}

/** A word that a query asked for: its text, and where it stands if that is known. */
export interface Highlight {
  readonly text: string;
  readonly word: TextWord | null;
}

/** The words at the places that a search gave, which count what spaces part in the text, from 1. */
export function highlightsOf(
  segment: Pick<SegmentRow, 'text' | 'words'>,
  places: readonly number[],
): Highlight[] {
  const texts = segment.text.trim().split(/\s+/);
  const words = Array.isArray(segment.words) ? (segment.words as unknown[]) : [];
  // Words and text are written together; where somebody else's differ, a place in the one says nothing of the
  // other.
  const isOfWords = words.length === texts.length;
  return places.flatMap((place) => {
    const text = texts[place - 1];
    const word = isOfWords ? words[place - 1] : undefined;
    return text === undefined ? [] : [{ text, word: isWord(word) ? word : null }];
  });
}

/** A word of a title that a query asked for, and where it stands. */
export interface TitleHighlight {
  readonly text: string;
  /** In UTF-16 code units, as `String.slice` counts. */
  readonly startOffset: number;
  readonly endOffset: number;
}

/** The words of a title at the places that a search gave. */
export function titleHighlightsOf(title: string, places: readonly number[]): TitleHighlight[] {
  const words = [...title.matchAll(/\S+/g)];
  return places.flatMap((place) => {
    const word = words[place - 1];
    if (word === undefined) return [];
    return [{ text: word[0], startOffset: word.index, endOffset: word.index + word[0].length }];
  });
}

/** Signs the URL of the kept frame that a segment was read in. */
export function segmentThumbnail(
  { urls, config }: Pick<JobsDeps, 'urls' | 'config'>,
  { videoId, frameMs }: Pick<SegmentRow, 'videoId' | 'frameMs'>,
): Promise<SignedUrl> {
  return urls.get(frameKey(videoId, Number(frameMs)), { expiresInSeconds: config.signedUrlSeconds });
}

function isWord(value: unknown): value is TextWord {
  if (typeof value !== 'object' || value === null) return false;
  const word = value as Record<string, unknown>;
  return (
    typeof word['text'] === 'string' &&
    ['confidence', 'x', 'y', 'width', 'height'].every((field) => typeof word[field] === 'number')
  );
}
