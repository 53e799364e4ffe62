import { PermanentError } from '../../../src/core/errors.ts';
import { parseJson } from '../../../src/core/parse-json.ts';
import type { SpokenWord } from '../../../src/domains/calls/index.ts';
import { askEndpoint } from './ask-endpoint.ts';
import type { PollAnswer, SpeechProvider } from './provider.ts';
import {
  languageOf,
  operationAnswer,
  requestHeaders,
  type SpeechkitOptions,
  speechkitHeaders,
} from './speechkit.ts';

const DEFAULT_URL = 'https://transcribe.api.cloud.yandex.net';

interface Chunk {
  readonly channelTag?: string;
  readonly alternatives?: readonly {
    readonly text?: string;
    readonly words?: readonly { word?: string; startTime?: string; endTime?: string; confidence?: number }[];
  }[];
}

/** SpeechKit by its older protocol: the sound lies in a bucket, and the operation carries the result. */
export function createSpeechkitV2(options: SpeechkitOptions): SpeechProvider {
  return {
    name: 'speechkit',
    model: options.model,
    isDraft: false,
    isCharged: true,
    takesOgg: true,
    start: async (audio, requestId, signal) => {
      if (options.audioUrl === null)
        throw new PermanentError(
          'SpeechNotConfigured',
          'SpeechKit v2 reads the sound from a bucket; allowed: SPEECHKIT_AUDIO_URL, or SPEECHKIT_VERSION=v3',
        );
      const text = await askEndpoint({
        provider: 'SpeechKit',
        url: `${options.url ?? DEFAULT_URL}/speech/stt/v2/longRunningRecognize`,
        method: 'POST',
        headers: { ...speechkitHeaders(options), ...requestHeaders(requestId) },
        secret: options.apiKey,
        signal,
        body: JSON.stringify({
          config: {
            specification: {
              languageCode: languageOf(audio.language),
              model: options.model,
              audioEncoding: 'OGG_OPUS',
              audioChannelCount: audio.channels,
              literature_text: true,
            },
          },
          audio: { uri: `${options.audioUrl}/${audio.ogg.key}` },
        }),
      });
      const { id } = parseJson(text) as { id?: unknown };
      if (typeof id !== 'string' || id === '')
        throw new Error('SpeechKit answers an operation without an id');
      return id;
    },
    poll: async (operationId, _audio, signal): Promise<PollAnswer> => {
      const state = await operationAnswer(options, operationId, signal);
      if (state.state !== 'done') return state;
      const { chunks = [] } = (state.response ?? {}) as { chunks?: readonly Chunk[] };
      return { state: 'done', heard: { language: null, words: chunks.flatMap(wordsOf) } };
    },
  };
}

/** Its channels count from 1. */
function wordsOf({ channelTag, alternatives }: Chunk): readonly SpokenWord[] {
  const speaker = Math.max(0, Number(channelTag ?? 1) - 1) || 0;
  return (alternatives?.[0]?.words ?? []).map(({ word = '', startTime, endTime, confidence }) => ({
    speaker,
    text: word,
    startMs: msOf(startTime),
    endMs: Math.max(msOf(startTime), msOf(endTime ?? startTime)),
    confidence: confidence ?? null,
  }));
}

/** `0.880s`. */
function msOf(time: string | undefined): number {
  return Math.round(Number.parseFloat(time ?? '0') * 1000) || 0;
}
