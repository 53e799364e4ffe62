import type { CallStore } from '../../../src/domains/calls/stores/call-store.ts';
import type { Outgoing } from '../../../src/outgoing/outgoing.ts';
import type { MediaTools } from '../../handler.ts';
import type { SpeechProvider } from '../../tools/speech/provider.ts';
import type { ChatReader } from './chat-reader.ts';

// What the handlers of calls have beside what every handler has.

export interface CallOwn {
  readonly call: CallStore;
}

/** What `extract_audio` is provided with. */
export interface ExtractOwn extends CallOwn {
  readonly media: MediaTools | null;
  /** For recordings that a tenant names by URL. */
  readonly outgoing: () => Outgoing;
}

/** What `transcribe_start` and `transcribe_poll` are provided with. */
export interface TranscribeOwn extends CallOwn {
  readonly media: MediaTools | null;
  /** Null where nothing recognises words. */
  readonly speech: () => Promise<SpeechProvider | null>;
  /** Milliseconds between two looks; null: growing. */
  readonly pollIntervalMs: number | null;
  /** What a start does that a crash may have sent already. */
  readonly onUnknownStart: 'repeat' | 'fail';
  /** Price of a minute of sound in millionths; 0 where none is set. */
  readonly microsPerMinute: number;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

/** What `analyze` is provided with. */
export interface AnalyzeOwn extends CallOwn {
  /** Null where no chat endpoint is set. */
  readonly chat: ChatReader | null;
}
