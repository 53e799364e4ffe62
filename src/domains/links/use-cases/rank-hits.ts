import type { NearLink } from '../vectors/vector-index.ts';

/** A link that was found, and why it stands where it does. */
export interface LinkHit {
  readonly linkId: string;
  /** 0 to 1: the mean of what its two places are worth; 1 for the first in both. */
  readonly score: number;
  /** Cosine of its meaning and the query's; null where it is not among the nearest. */
  readonly meaning: number | null;
  /** Its place among the nearest, from 1. */
  readonly meaningPlace: number | null;
  /** How well the words fit, 0 to 1; null where they are not all in it. */
  readonly words: number | null;
  readonly wordsPlace: number | null;
}

/** The usual constant of reciprocal rank fusion: the first places differ little, so that both lists count. */
const SMOOTHING = 60;

/**
 * Joins two rankings by their places, since a cosine and a rank of words have no common measure (reciprocal
 * rank fusion).
 * @param hasBoth false: one list alone was asked, and decides alone
 */
export function rankHits(
  near: readonly NearLink[],
  byWords: readonly { readonly linkId: string; readonly rank: number }[],
  hasBoth: boolean,
): readonly LinkHit[] {
  const hits = new Map<string, Omit<LinkHit, 'score' | 'linkId'>>();
  const nothing = { meaning: null, meaningPlace: null, words: null, wordsPlace: null };
  for (const [index, { linkId, similarity }] of near.entries())
    hits.set(linkId, { ...nothing, meaning: similarity, meaningPlace: index + 1 });
  for (const [index, { linkId, rank }] of byWords.entries())
    hits.set(linkId, { ...(hits.get(linkId) ?? nothing), words: rank, wordsPlace: index + 1 });
  const worth = (place: number | null) => (place === null ? 0 : (SMOOTHING + 1) / (SMOOTHING + place));
  return [...hits]
    .map(([linkId, hit]) => {
      const sum = worth(hit.meaningPlace) + worth(hit.wordsPlace);
      return { linkId, ...hit, score: hasBoth ? sum / 2 : sum };
    })
    .sort((a, b) => b.score - a.score || (a.linkId < b.linkId ? 1 : -1));
}
