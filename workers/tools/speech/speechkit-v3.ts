import { readFile } from 'node:fs/promises';
import { PermanentError } from '../../../src/core/errors.ts';
import { parseJson } from '../../../src/core/parse-json.ts';
import type { SpokenWord } from '../../../src/domains/calls/index.ts';
import { askEndpoint, type EndpointRequest } from './ask-endpoint.ts';
import { jsonSequence } from './json-sequence.ts';
import type { Heard, PollAnswer, SpeechProvider } from './provider.ts';
import {
  languageOf,
  operationAnswer,
  requestHeaders,
  type SpeechkitOptions,
  speechkitHeaders,
} from './speechkit.ts';

const DEFAULT_URL = 'https://stt.api.cloud.yandex.net';
/** What a request may carry itself. */
const MAX_CONTENT_BYTES = 60 * 2 ** 20;

interface Alternative {
  readonly text?: string;
  readonly startTimeMs?: string;
  readonly endTimeMs?: string;
  readonly words?: readonly { text?: string; startTimeMs?: string; endTimeMs?: string }[];
}

interface StreamingResult {
  readonly channelTag?: string;
  readonly final?: { readonly alternatives?: readonly Alternative[]; readonly channelTag?: string };
  readonly finalRefinement?: {
    readonly finalIndex?: string;
    readonly normalizedText?: { readonly alternatives?: readonly Alternative[] };
  };
  readonly audioCursors?: { readonly finalIndex?: string };
}

/**
 * SpeechKit by its asynchronous protocol, version 3: an operation that is begun, asked for, and fetched once.
 */
export function createSpeechkitV3(options: SpeechkitOptions): SpeechProvider {
  const base = options.url ?? DEFAULT_URL;
  const ask = (
    path: string,
    signal: AbortSignal,
    { headers, ...more }: Pick<EndpointRequest, 'method' | 'body' | 'headers'> = {},
  ) =>
    askEndpoint({
      provider: 'SpeechKit',
      url: `${base}${path}`,
      headers: { ...speechkitHeaders(options), ...headers },
      secret: options.apiKey,
      signal,
      ...more,
    });
  return {
    name: 'speechkit',
    model: options.model,
    isDraft: false,
    isCharged: true,
    takesOgg: true,
    start: async (audio, requestId, signal) => {
      const body = {
        ...(options.audioUrl === null
          ? { content: await contentOf(await audio.ogg.path()) }
          : { uri: `${options.audioUrl}/${audio.ogg.key}` }),
        recognitionModel: {
          model: options.model,
          audioFormat: { containerAudio: { containerAudioType: 'OGG_OPUS' } },
          textNormalization: { textNormalization: 'TEXT_NORMALIZATION_ENABLED', literatureText: true },
          languageRestriction: { restrictionType: 'WHITELIST', languageCode: [languageOf(audio.language)] },
          audioProcessingType: 'FULL_DATA',
        },
        // Speakers are distinguished in one channel only, and two at most.
        ...(audio.channels === 1 &&
          audio.speakerCount !== 1 && {
            speakerLabeling: { speakerLabeling: 'SPEAKER_LABELING_ENABLED' },
          }),
      };
      const answer = await ask('/stt/v3/recognizeFileAsync', signal, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: requestHeaders(requestId),
      });
      return operationIdOf(answer);
    },
    poll: async (operationId, _audio, signal): Promise<PollAnswer> => {
      const state = await operationAnswer(options, operationId, signal);
      if (state.state !== 'done') return state;
      const id = encodeURIComponent(operationId);
      const text = await ask(`/stt/v3/getRecognition?operationId=${id}&operation_id=${id}`, signal);
      return { state: 'done', heard: heardIn(text) };
    },
    forget: async (operationId, signal) => {
      const id = encodeURIComponent(operationId);
      await ask(`/stt/v3/deleteRecognition?operationId=${id}&operation_id=${id}`, signal, {
        method: 'DELETE',
      });
    },
  };
}

async function contentOf(path: string): Promise<string> {
  const bytes = await readFile(path);
  if (bytes.length <= MAX_CONTENT_BYTES) return bytes.toString('base64');
  throw new PermanentError(
    'RecordingTooLarge',
    `The sound has ${bytes.length} bytes; allowed: ${MAX_CONTENT_BYTES}, or more with SPEECHKIT_AUDIO_URL`,
  );
}

function operationIdOf(answer: string): string {
  const id = (parseJson(answer) as { id?: unknown }).id;
  if (typeof id === 'string' && id !== '') return id;
  throw new Error('SpeechKit answers an operation without an id');
}

/**
 * The sequence of results: the final ones, with their normalised text where there is one of the same index.
 */
function heardIn(text: string): Heard {
  const finals: { channel: number; alternative: Alternative; index: string }[] = [];
  const refined = new Map<string, Alternative>();
  for (const each of jsonSequence(text)) {
    const result = ((each as { result?: unknown }).result ?? each) as StreamingResult;
    const final = result.final?.alternatives?.[0];
    if (final !== undefined)
      finals.push({
        channel: Number(result.channelTag ?? result.final?.channelTag ?? 0) || 0,
        alternative: final,
        index: result.audioCursors?.finalIndex ?? String(finals.length),
      });
    const normalized = result.finalRefinement?.normalizedText?.alternatives?.[0];
    if (normalized !== undefined) refined.set(result.finalRefinement?.finalIndex ?? '', normalized);
  }
  const words = finals.flatMap(({ channel, alternative, index }) =>
    wordsOf(channel, alternative, refined.get(index)),
  );
  return { language: null, words };
}

/** Normalised words where they keep their times; else the plain ones. */
function wordsOf(
  speaker: number,
  plain: Alternative,
  normalized: Alternative | undefined,
): readonly SpokenWord[] {
  const timed = normalized?.words?.length ? normalized : plain;
  const words = (timed.words ?? []).map(({ text = '', startTimeMs, endTimeMs }) => ({
    speaker,
    text,
    startMs: Number(startTimeMs ?? 0),
    endMs: Number(endTimeMs ?? startTimeMs ?? 0),
    confidence: null,
  }));
  if (words.length > 0) return words;
  const text = (normalized ?? plain).text ?? '';
  if (text === '') return [];
  return [
    {
      speaker,
      text,
      startMs: Number(plain.startTimeMs ?? 0),
      endMs: Number(plain.endTimeMs ?? plain.startTimeMs ?? 0),
      confidence: null,
    },
  ];
}
