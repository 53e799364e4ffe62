/** The version of what is said of a transcript: another one is another analysis. */
export const ANALYSIS_VERSION = 1;

export interface SpeakerStatistics {
  readonly speaker: number;
  readonly talkMs: number;
  /** Share of all talk, 0 to 1. */
  readonly talkRatio: number;
  readonly wordCount: number;
  readonly turnCount: number;
  readonly longestTurnMs: number;
  readonly questionCount: number;
  /** How often this speaker begins while another one is speaking. */
  readonly interruptionCount: number;
  /** Words a minute of talk; null without words. */
  readonly wordsPerMinute: number | null;
}

export interface Moment {
  readonly speaker: number;
  readonly atMs: number;
}

export interface Keyword {
  readonly text: string;
  readonly count: number;
  readonly firstAtMs: number;
}

export interface FoundEntity extends Moment {
  readonly type: string;
  readonly value: string;
  readonly normalizedValue: string;
}

/** What is found without any service. */
export interface LocalAnalysis {
  readonly speakers: readonly SpeakerStatistics[];
  readonly interruptions: readonly (Moment & { readonly overlapMs: number })[];
  /** When nobody speaks, of two seconds or more. */
  readonly silences: readonly { readonly startMs: number; readonly endMs: number }[];
  readonly silenceMs: number;
  readonly questions: readonly (Moment & { readonly text: string })[];
  readonly keywords: readonly Keyword[];
  readonly entities: readonly FoundEntity[];
}

/** What a language model says. */
export interface Summary {
  readonly summary: string;
  readonly topics: readonly string[];
  readonly actionItems: readonly { readonly text: string; readonly owner: string | null }[];
  readonly sentiment: 'positive' | 'neutral' | 'negative' | 'mixed';
}

/** What the summary cost. */
export interface SummaryCost {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Millionths of the currency of the configured prices; null where none are set. */
  readonly micros: number | null;
}

export interface CallAnalysis extends LocalAnalysis {
  /** Null without a chat endpoint, and for a transcript without text. */
  readonly summary: Summary | null;
  readonly cost: SummaryCost | null;
}
