import type { SpokenWord, Turn } from '../../../src/domains/calls/index.ts';

/** The sound of one call, in the forms that providers take. Made when it is asked for. */
export interface SpeechAudio {
  readonly channels: number;
  readonly durationMs: number;
  /** `en-US`; null where nobody said. */
  readonly language: string | null;
  /** 0 where nobody said. */
  readonly speakerCount: number;
  /** OGG Opus with all channels: its path on this machine, and its key in the store. */
  readonly ogg: { path(): Promise<string>; readonly key: string };
  /** One channel as OGG Opus. */
  oggOf(channel: number): Promise<string>;
  /** One channel as WAV, 16 kHz. */
  wavOf(channel: number): Promise<string>;
  /**
   * What was answered about a channel, asked for once: it is stored, and a run that is repeated does not pay
   * for it again.
   */
  answerOf(channel: number, ask: () => Promise<string>): Promise<string>;
  /** For files of a run. */
  directory(): Promise<string>;
}

/** What was heard. `turns` where there are no times of words. */
export interface Heard {
  readonly language: string | null;
  readonly words: readonly SpokenWord[];
  readonly turns?: readonly Turn[];
  /** Requests that were charged for, where it was more than one. */
  readonly requestCount?: number;
}

export type PollAnswer =
  | { readonly state: 'pending' }
  | { readonly state: 'done'; readonly heard: Heard }
  /** The operation itself failed. `retryable`: another one may do better. */
  | {
      readonly state: 'failed';
      readonly type: string;
      readonly message: string;
      readonly retryable: boolean;
    };

/**
 * What turns sound into text: a service with operations, or a program of this machine, which works in `poll`.
 */
export interface SpeechProvider {
  readonly name: string;
  readonly model: string | null;
  /** Its words need a look before they are used. */
  readonly isDraft: boolean;
  /** A service that takes money for it, and no program of this machine. */
  readonly isCharged: boolean;
  /** Whether `start` sends the OGG. */
  readonly takesOgg: boolean;
  /**
   * Begins the transcription.
   * @param requestId the same whenever the same start is sent again
   * @returns the operation's id
   * @throws QuotaUsedUp; PermanentError `SpeechRefused`, `SpeechDenied`; any other error may pass
   */
  start(audio: SpeechAudio, requestId: string, signal: AbortSignal): Promise<string>;
  /** Asks for the result; throws as `start` does. */
  poll(operationId: string, audio: SpeechAudio, signal: AbortSignal): Promise<PollAnswer>;
  /** Lets the provider forget an operation whose result is stored. Errors do not matter. */
  forget?(operationId: string, signal: AbortSignal): Promise<void>;
}

/** The provider takes no more for the time being: the job sleeps, and no attempt is spent. */
export class QuotaUsedUp extends Error {
  readonly retryAfterSeconds: number;

  constructor(provider: string, retryAfterSeconds: number) {
    super(`${provider} takes no more requests for ${retryAfterSeconds} s`);
    this.name = 'QuotaUsedUp';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
