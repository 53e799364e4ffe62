import { createHash } from 'node:crypto';

/** One word with its time. */
export interface TranscriptWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** 0 to 1; null where the provider gives none. */
  readonly confidence: number | null;
}

/** What one speaker says without another speaking for longer. */
export interface Turn {
  /** From 0; a channel is a speaker where there are several. */
  readonly speaker: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Empty where nothing recognises words: a time in which somebody speaks. */
  readonly text: string;
  readonly words: readonly TranscriptWord[];
  readonly confidence: number | null;
}

/** A whole transcript. */
export interface Transcript {
  readonly provider: string;
  readonly model: string | null;
  readonly language: string | null;
  /** Its words need a look before they are used. */
  readonly isDraft: boolean;
  /** False: times and speakers alone, or nothing. */
  readonly hasText: boolean;
  /** Why there is no text: `silent`, `no_provider`, `nothing_recognised`; null where there is. */
  readonly emptyReason: string | null;
  readonly audioMs: number;
  /**
   * Operations that were begun for it, or may have been, each of which its provider may charge for; 0 where
   * none was needed.
   */
  readonly operationCount: number;
  /** Price of them in millionths of the configured currency; null where none is set. */
  readonly costMicros: number | null;
  readonly turns: readonly Turn[];
}

/** What makes two transcripts the same: SHA-256 of who says what and when, in hexadecimal. */
export function transcriptHash({ turns }: Pick<Transcript, 'turns'>): string {
  return createHash('sha256')
    .update(JSON.stringify(turns.map(({ speaker, startMs, endMs, text }) => [speaker, startMs, endMs, text])))
    .digest('hex');
}

/** The number of words, as it is shown. */
export function countWords(turns: readonly Turn[]): number {
  return turns.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
}

/** Words of one speaker that are nearer to each other than this are one turn. */
const TURN_GAP_MS = 1_200;
/** A turn is cut at a pause once it is this long, so that a monologue can be read and found by its parts. */
const LONG_TURN_MS = 30_000;
const PAUSE_MS = 350;

/** A word that somebody says. */
export interface SpokenWord extends TranscriptWord {
  readonly speaker: number;
}

/** Makes turns of words in whatever order, by time; overlapping speakers keep turns of their own. */
export function turnsOf(words: readonly SpokenWord[]): readonly Turn[] {
  const bySpeaker = new Map<number, SpokenWord[]>();
  for (const word of words.toSorted((a, b) => a.startMs - b.startMs)) {
    const own = bySpeaker.get(word.speaker) ?? [];
    own.push(word);
    bySpeaker.set(word.speaker, own);
  }
  const turns = [...bySpeaker.values()].flatMap((own) => splitByPauses(own).map(turnOf));
  return turns.toSorted((a, b) => a.startMs - b.startMs || a.speaker - b.speaker);
}

function splitByPauses(words: readonly SpokenWord[]): readonly (readonly SpokenWord[])[] {
  const groups: SpokenWord[][] = [];
  for (const word of words) {
    const current = groups.at(-1);
    const last = current?.at(-1);
    const first = current?.[0];
    const gap = last === undefined ? 0 : word.startMs - last.endMs;
    const isLong = first !== undefined && word.endMs - first.startMs > LONG_TURN_MS && gap >= PAUSE_MS;
    if (current === undefined || gap > TURN_GAP_MS || isLong) groups.push([word]);
    else current.push(word);
  }
  return groups;
}

function turnOf(words: readonly SpokenWord[]): Turn {
  const [first] = words as [SpokenWord];
  const known = words.map(({ confidence }) => confidence).filter((value) => value !== null);
  return {
    speaker: first.speaker,
    startMs: first.startMs,
    endMs: Math.max(...words.map(({ endMs }) => endMs)),
    text: words.map(({ text }) => text).join(' '),
    words: words.map(({ speaker: _speaker, ...word }) => word),
    confidence: known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length,
  };
}
