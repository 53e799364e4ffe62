import { openAsBlob } from 'node:fs';
import { parseJson } from '../../../src/core/parse-json.ts';
import type { SpokenWord, Turn } from '../../../src/domains/calls/index.ts';
import { askEndpoint } from './ask-endpoint.ts';
import type { PollAnswer, SpeechAudio, SpeechProvider } from './provider.ts';

export interface OpenaiSpeechOptions {
  /** With the version: `https://api.openai.com/v1`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | null;
}

interface Transcription {
  readonly text?: string;
  readonly language?: string;
  readonly words?: readonly { word: string; start: number; end: number }[];
  readonly segments?: readonly { text: string; start: number; end: number }[];
}

const MIN_TIMEOUT_MS = 120_000;

/**
 * Any OpenAI-compatible transcription endpoint. It answers at once, so that its operation is the asking
 * itself; a channel each.
 */
export function createOpenaiSpeech(options: OpenaiSpeechOptions): SpeechProvider {
  const { url, model, apiKey } = options;
  const ask = async (channel: number, audio: SpeechAudio, signal: AbortSignal): Promise<string> => {
    const form = new FormData();
    form.set('file', await openAsBlob(await audio.oggOf(channel), { type: 'audio/ogg' }), 'call.ogg');
    form.set('model', model);
    form.set('response_format', 'verbose_json');
    form.append('timestamp_granularities[]', 'word');
    form.append('timestamp_granularities[]', 'segment');
    if (audio.language !== null) form.set('language', audio.language.split('-')[0] ?? audio.language);
    return await askEndpoint({
      provider: 'The transcription endpoint',
      url: `${url.replace(/\/$/, '')}/audio/transcriptions`,
      method: 'POST',
      headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      body: form,
      timeoutMs: Math.max(MIN_TIMEOUT_MS, audio.durationMs),
      secret: apiKey,
      signal,
    });
  };
  return {
    name: 'openai',
    model,
    isDraft: false,
    isCharged: true,
    takesOgg: false,
    start: async () => 'at-once',
    poll: async (_operationId, audio, signal): Promise<PollAnswer> => {
      const words: SpokenWord[] = [];
      const turns: Turn[] = [];
      let language: string | null = null;
      for (let channel = 0; channel < audio.channels; channel++) {
        const text = await audio.answerOf(channel, () => ask(channel, audio, signal));
        const heard = parseJson(text) as Transcription;
        language ??= heard.language ?? null;
        words.push(...wordsOf(heard, channel));
        if (heard.words === undefined) turns.push(...turnsWithoutWords(heard, channel, audio.durationMs));
      }
      turns.sort((a, b) => a.startMs - b.startMs);
      const requestCount = audio.channels;
      return { state: 'done', heard: { language, words, requestCount, ...(turns.length > 0 && { turns }) } };
    },
  };
}

function wordsOf({ words = [] }: Transcription, speaker: number): readonly SpokenWord[] {
  return words.map(({ word, start, end }) => ({
    speaker,
    text: word.trim(),
    startMs: Math.round(start * 1000),
    endMs: Math.round(Math.max(start, end) * 1000),
    confidence: null,
  }));
}

/** The turns of an endpoint that gives times of sentences, or none. */
function turnsWithoutWords(heard: Transcription, speaker: number, durationMs: number): readonly Turn[] {
  const segments = heard.segments ?? [{ text: heard.text ?? '', start: 0, end: durationMs / 1000 }];
  return segments
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, start, end }) => ({
      speaker,
      startMs: Math.round(start * 1000),
      endMs: Math.round(Math.max(start, end) * 1000),
      text: text.trim(),
      words: [],
      confidence: null,
    }));
}
