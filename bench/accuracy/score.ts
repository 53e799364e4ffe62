import type { KeptFrame } from '../../src/domains/videos/pipeline/frame-manifest.ts';
import type { FeedTruth, StillState, WordBox } from './truth.ts';

/** How far the start and the end of what was found may be from the truth. */
const TIME_TOLERANCE_MS = 150;
/** Share of their common width that two readings of the same word have at least. */
const SAME_WIDTH_SHARE = 0.6;
/**
 * A text that stays while the page scrolls a little is one range, with the place that it had on the frame it
 * was read from: elsewhere it may be so far above or below.
 */
const SCROLL_PX = 40;

/** A row of `segments`: a line of text, when it was on screen, and its words as they stand on its frame. */
export interface FoundSegment {
  readonly frameMs: number;
  readonly tStartMs: number;
  readonly tEndMs: number;
  readonly words: readonly WordBox[];
}

export interface WordScore {
  /** Words of all states: one that stands through two of them counts twice. */
  readonly wordCount: number;
  /** Found with the very same letters, in their place, in the middle of their state. */
  readonly foundShare: number;
  /**
   * Found so, and at the right time: there from 150 ms after the state's begin to 150 ms before its end; and
   * not there where the state before it, up to 150 ms before its begin, or the one after it, from 150 ms
   * after its end on, does not show them there.
   */
  readonly foundInTimeShare: number;
  /** Some of what was not found. */
  readonly missed: readonly string[];
  /** Some of what was found at other times. */
  readonly mistimed: readonly string[];
}

/** Compares what was read in the feed with what it shows. */
export function scoreWords(truth: FeedTruth, segments: readonly FoundSegment[]): WordScore {
  const [missed, mistimed]: [string[], string[]] = [[], []];
  let [wordCount, foundCount, inTimeCount] = [0, 0, 0];
  for (const [index, state] of truth.states.entries()) {
    const { tStartMs, tEndMs } = state;
    const instants = [tStartMs + TIME_TOLERANCE_MS, (tStartMs + tEndMs) / 2, tEndMs - TIME_TOLERANCE_MS];
    const shown = instants.map((tMs) => wordsAt(segments, tMs));
    const neighbours = [before(truth.states[index - 1], tStartMs), after(truth.states[index + 1], tEndMs)]
      .filter((neighbour) => neighbour !== null)
      .map(({ state: other, tMs }) => ({ truly: other.words, found: wordsAt(segments, tMs) }));
    for (const word of state.words) {
      wordCount++;
      if (!isAmong(word, shown[1] ?? [], state)) {
        missed.push(`${word.text} at ${tStartMs} ms`);
        continue;
      }
      foundCount++;
      const isThere = shown.every((words) => isAmong(word, words, state));
      const isElsewhen = neighbours.some(
        ({ truly, found }) =>
          isAmong(word, found, state) && !truly.some((other) => isSameWord(word, other, SCROLL_PX)),
      );
      if (isThere && !isElsewhen) inTimeCount++;
      else mistimed.push(`${word.text} at ${tStartMs} ms${isThere ? ', also beside it' : ''}`);
    }
  }
  return {
    wordCount,
    foundShare: foundCount / wordCount,
    foundInTimeShare: inTimeCount / wordCount,
    missed: missed.slice(0, 40),
    mistimed: mistimed.slice(0, 40),
  };
}

interface ShownWord {
  readonly word: WordBox;
  readonly frameMs: number;
}

/**
 * Whether a word of a state is among words that were found: in its very place when their frame is one of the
 * state.
 */
function isAmong(word: WordBox, found: readonly ShownWord[], { tStartMs, tEndMs }: StillState): boolean {
  return found.some(({ word: other, frameMs }) => {
    const isOfState = frameMs >= tStartMs && frameMs < tEndMs;
    return isSameWord(word, other, isOfState ? 0 : SCROLL_PX);
  });
}

/**
 * The same letters, over about the same width, with the found one's middle within the height of the true one.
 * Not by the boxes' common area: the browser gives the height of the line, and a reader that of the letters,
 * which is half of it where none is tall.
 */
function isSameWord(word: WordBox, found: WordBox, scrollPx: number): boolean {
  if (word.text !== found.text) return false;
  const middle = found.y + found.height / 2;
  if (middle < word.y - scrollPx || middle > word.y + word.height + scrollPx) return false;
  const common = Math.min(word.x + word.width, found.x + found.width) - Math.max(word.x, found.x);
  return common >= SAME_WIDTH_SHARE * Math.max(word.width, found.width);
}

export interface FrameScore {
  readonly pageCount: number;
  /**
   * Pages of which each state is shown, from 150 ms after its begin to 150 ms before its end, by a frame of
   * that very state.
   */
  readonly coveredPages: number;
  /** The same of the states: a page whose price changes has two. */
  readonly stateCount: number;
  readonly coveredStates: number;
  readonly framesPerMinute: number;
  /** Largest distance of a span's begin or end from that of the state that its frame shows. */
  readonly worstEdgeMs: number;
  readonly uncovered: readonly string[];
}

/**
 * Compares the kept frames with the states of the feed. A frame is of a state when its picture was taken
 * within it.
 */
export function scoreFrames(truth: FeedTruth, frames: readonly KeptFrame[]): FrameScore {
  const covered = new Map<StillState, boolean>();
  let worstEdgeMs = 0;
  const uncovered: string[] = [];
  for (const state of truth.states) {
    const own = frames.filter(({ tMs }) => tMs >= state.tStartMs && tMs < state.tEndMs);
    const spans = own
      .flatMap((frame) => frame.spans)
      .filter(([start, end]) => end > state.tStartMs && start < state.tEndMs)
      .sort(([a], [b]) => a - b);
    const [first, last] = [spans[0], spans.at(-1)];
    const edges = [(first?.[0] ?? Number.NaN) - state.tStartMs, (last?.[1] ?? Number.NaN) - state.tEndMs].map(
      Math.abs,
    );
    const edgeMs = Math.max(...edges);
    const isWhole = spans.every(([start], index) => index === 0 || start === spans[index - 1]?.[1]);
    const isCovered = isWhole && edgeMs <= TIME_TOLERANCE_MS;
    covered.set(state, isCovered);
    if (isCovered) worstEdgeMs = Math.max(worstEdgeMs, edgeMs);
    else
      uncovered.push(`page ${state.page}, ${state.tStartMs} to ${state.tEndMs} ms: ${JSON.stringify(spans)}`);
  }
  const pages = [...new Set(truth.states.map(({ page }) => page))];
  const isPageCovered = (page: number): boolean =>
    truth.states.every((state) => state.page !== page || covered.get(state) === true);
  return {
    pageCount: pages.length,
    coveredPages: pages.filter(isPageCovered).length,
    stateCount: truth.states.length,
    coveredStates: [...covered.values()].filter(Boolean).length,
    framesPerMinute: (frames.length * 60_000) / truth.durationMs,
    worstEdgeMs,
    uncovered,
  };
}

function wordsAt(segments: readonly FoundSegment[], tMs: number): readonly ShownWord[] {
  return segments
    .filter(({ tStartMs, tEndMs }) => tStartMs <= tMs && tMs < tEndMs)
    .flatMap(({ words, frameMs }) => words.map((word) => ({ word, frameMs })));
}

/**
 * The last moment of the state before, or the one at which the tolerance begins; null where there is none
 * within it.
 */
function before(
  state: StillState | undefined,
  tMs: number,
): { readonly state: StillState; readonly tMs: number } | null {
  if (state === undefined) return null;
  const at = Math.min(state.tEndMs - 1, tMs - TIME_TOLERANCE_MS);
  return at >= state.tStartMs ? { state, tMs: at } : null;
}

function after(
  state: StillState | undefined,
  tMs: number,
): { readonly state: StillState; readonly tMs: number } | null {
  if (state === undefined) return null;
  const at = Math.max(state.tStartMs, tMs + TIME_TOLERANCE_MS);
  return at < state.tEndMs ? { state, tMs: at } : null;
}
