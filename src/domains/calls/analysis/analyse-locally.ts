import { findEntities } from '../../../text/entities/find-entities.ts';
import type { Turn } from '../transcript.ts';
import type { FoundEntity, Keyword, LocalAnalysis, Moment, SpeakerStatistics } from './analysis.ts';
import { STOP_WORDS } from './stop-words.ts';

const MIN_SILENCE_MS = 2_000;
/** A shorter overlap is a "yes", not an interruption. */
const MIN_OVERLAP_MS = 300;
/** Where recognisers set no marks, a sentence ends with a pause. */
const CLAUSE_PAUSE_MS = 250;
const MAX_LISTED = 200;
const MAX_KEYWORDS = 20;
const QUESTION_WORDS =
  /^(?:who|what|when|where|why|which|whose|how|do|does|did|is|are|was|were|can|could|will|would|should|shall|have|has|may|кто|что|где|когда|почему|зачем|как|сколько|какой|какая|wer|was|wann|wo|warum|wie|welche)\b/iu;

/** What can be said of a transcript without any service. Pure. */
export function analyseLocally(turns: readonly Turn[], audioMs: number): LocalAnalysis {
  const interruptions = interruptionsOf(turns);
  const questions = turns
    .flatMap((turn) => clausesOf(turn))
    .filter(({ text }) => isQuestion(text))
    .map(({ text, ...moment }) => ({ ...moment, text: text.slice(0, 300) }));
  const silences = silencesOf(turns, audioMs);
  return {
    speakers: statisticsOf(turns, interruptions, questions),
    interruptions: interruptions.slice(0, MAX_LISTED),
    silences: silences.slice(0, MAX_LISTED),
    silenceMs: silences.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
    questions: questions.slice(0, MAX_LISTED),
    keywords: keywordsOf(turns),
    entities: entitiesOf(turns).slice(0, MAX_LISTED),
  };
}

/** A turn that begins within another speaker's, and lasts beyond a mere sign of listening. */
function interruptionsOf(turns: readonly Turn[]): readonly (Moment & { readonly overlapMs: number })[] {
  const found: (Moment & { overlapMs: number })[] = [];
  const lastOf = new Map<number, Turn>();
  for (const turn of turns.toSorted((a, b) => a.startMs - b.startMs)) {
    const overlaps = [...lastOf.values()]
      .filter(
        ({ speaker, startMs, endMs }) =>
          speaker !== turn.speaker && startMs < turn.startMs && endMs > turn.startMs,
      )
      .map(({ endMs }) => Math.min(endMs, turn.endMs) - turn.startMs);
    const overlapMs = Math.max(0, ...overlaps);
    if (overlapMs >= MIN_OVERLAP_MS) found.push({ speaker: turn.speaker, atMs: turn.startMs, overlapMs });
    lastOf.set(turn.speaker, turn);
  }
  return found;
}

function silencesOf(turns: readonly Turn[], audioMs: number) {
  const found: { startMs: number; endMs: number }[] = [];
  let fromMs = 0;
  for (const { startMs, endMs } of turns.toSorted((a, b) => a.startMs - b.startMs)) {
    if (startMs - fromMs >= MIN_SILENCE_MS) found.push({ startMs: fromMs, endMs: startMs });
    fromMs = Math.max(fromMs, endMs);
  }
  if (audioMs - fromMs >= MIN_SILENCE_MS) found.push({ startMs: fromMs, endMs: audioMs });
  return found;
}

function statisticsOf(
  turns: readonly Turn[],
  interruptions: readonly Moment[],
  questions: readonly Moment[],
): readonly SpeakerStatistics[] {
  const lengthOf = ({ startMs, endMs }: Turn) => endMs - startMs;
  const allMs = turns.reduce((sum, turn) => sum + lengthOf(turn), 0);
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))].toSorted((a, b) => a - b);
  return speakers.map((speaker) => {
    const own = turns.filter((turn) => turn.speaker === speaker);
    const talkMs = own.reduce((sum, turn) => sum + lengthOf(turn), 0);
    const wordCount = own.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
    return {
      speaker,
      talkMs,
      talkRatio: allMs === 0 ? 0 : Math.round((talkMs / allMs) * 1000) / 1000,
      wordCount,
      turnCount: own.length,
      longestTurnMs: Math.max(0, ...own.map(lengthOf)),
      questionCount: questions.filter((each) => each.speaker === speaker).length,
      interruptionCount: interruptions.filter((each) => each.speaker === speaker).length,
      wordsPerMinute: wordCount === 0 || talkMs === 0 ? null : Math.round((wordCount * 60_000) / talkMs),
    };
  });
}

/** Parts of a turn: up to a mark, or where there are none, to a pause within it. */
function clausesOf({ speaker, startMs, text, words }: Turn): readonly (Moment & { readonly text: string })[] {
  if (words.length === 0)
    return (text.match(/[^.!?]+[.!?]*/g) ?? []).map((part) => ({
      speaker,
      atMs: startMs,
      text: part.trim(),
    }));
  const clauses: { speaker: number; atMs: number; text: string; endMs: number; isClosed: boolean }[] = [];
  for (const word of words) {
    const last = clauses.at(-1);
    if (last !== undefined && !last.isClosed && word.startMs - last.endMs < CLAUSE_PAUSE_MS) {
      last.text += ` ${word.text}`;
      last.endMs = word.endMs;
    } else clauses.push({ speaker, atMs: word.startMs, text: word.text, endMs: word.endMs, isClosed: false });
    const current = clauses.at(-1);
    if (current !== undefined) current.isClosed = /[.!?]$/.test(word.text);
  }
  return clauses.map(({ endMs: _endMs, isClosed: _isClosed, ...clause }) => clause);
}

/** By its mark, or, since recognisers set none, by the word that it begins with. */
function isQuestion(text: string): boolean {
  return text.includes('?') || (QUESTION_WORDS.test(text) && text.split(' ').length >= 3);
}

function keywordsOf(turns: readonly Turn[]): readonly Keyword[] {
  const found = new Map<string, { count: number; firstAtMs: number }>();
  for (const turn of turns) {
    const words = turn.text.toLowerCase().match(/[\p{L}][\p{L}\p{N}'-]{2,}/gu) ?? [];
    for (const word of words) {
      if (STOP_WORDS.has(word.replace(/'.*$/, ''))) continue;
      const known = found.get(word);
      if (known === undefined) found.set(word, { count: 1, firstAtMs: momentOf(turn, word) });
      else known.count += 1;
    }
  }
  return [...found]
    .map(([text, { count, firstAtMs }]) => ({ text, count, firstAtMs }))
    .toSorted((a, b) => b.count - a.count || a.firstAtMs - b.firstAtMs)
    .slice(0, MAX_KEYWORDS);
}

function entitiesOf(turns: readonly Turn[]): readonly FoundEntity[] {
  return turns.flatMap((turn) =>
    findEntities(turn.text).map(({ type, value, normalizedValue }) => ({
      type,
      value,
      normalizedValue,
      speaker: turn.speaker,
      atMs: momentOf(turn, value.split(/\s+/)[0] ?? value),
    })),
  );
}

/** When a word is said; the beginning of its turn where words have no times. */
function momentOf({ words, startMs }: Turn, word: string): number {
  const wanted = word.toLowerCase();
  return words.find(({ text }) => text.toLowerCase().includes(wanted))?.startMs ?? startMs;
}
