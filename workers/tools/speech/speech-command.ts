import { PermanentError } from '../../../src/core/errors.ts';
import { parseJson } from '../../../src/core/parse-json.ts';
import type { SpokenWord, Turn } from '../../../src/domains/calls/index.ts';
import { throwIfFailed } from '../media-error.ts';
import { runProcess } from '../process.ts';
import type { Heard, PollAnswer, SpeechProvider } from './provider.ts';

const MIN_TIMEOUT_MS = 120_000;
const TIMEOUT_PER_MS = 10;
const MAX_OUTPUT_BYTES = 64 * 2 ** 20;

/**
 * A program of the operator's with a model of the operator's: whisper.cpp, sherpa-onnx, or anything that
 * prints JSON.
 */
export function createSpeechCommand(argv: readonly string[]): SpeechProvider {
  const [file = '', ...args] = argv;
  return {
    name: 'command',
    model: file.slice(file.lastIndexOf('/') + 1),
    isDraft: false,
    isCharged: false,
    takesOgg: false,
    start: async () => 'at-once',
    poll: async (_operationId, audio, signal): Promise<PollAnswer> => {
      const words: SpokenWord[] = [];
      const turns: Turn[] = [];
      let language: string | null = null;
      for (let speaker = 0; speaker < audio.channels; speaker++) {
        const wav = await audio.wavOf(speaker);
        const result = await runProcess({
          file,
          args: args.map((arg) =>
            arg.replaceAll('{wav}', wav).replaceAll('{language}', audio.language ?? 'auto'),
          ),
          cwd: await audio.directory(),
          timeoutMs: Math.max(MIN_TIMEOUT_MS, TIMEOUT_PER_MS * audio.durationMs),
          maxOutputBytes: MAX_OUTPUT_BYTES,
          signal,
        });
        throwIfFailed('The speech command', result, signal);
        const heard = heardIn(result.stdout, speaker);
        language ??= heard.language;
        words.push(...heard.words);
        turns.push(...(heard.turns ?? []));
      }
      turns.sort((a, b) => a.startMs - b.startMs);
      return { state: 'done', heard: { language, words, ...(turns.length > 0 && { turns }) } };
    },
  };
}

interface Printed {
  readonly language?: string;
  readonly result?: { readonly language?: string };
  /** Ours and OpenAI's: seconds. */
  readonly words?: readonly {
    word?: string;
    text?: string;
    start: number;
    end: number;
    confidence?: number;
  }[];
  readonly segments?: readonly { text: string; start: number; end: number }[];
  /** whisper.cpp: milliseconds. */
  readonly transcription?: readonly { text: string; offsets: { from: number; to: number } }[];
  /** sherpa-onnx: seconds, a token each. */
  readonly tokens?: readonly string[];
  readonly timestamps?: readonly number[];
}

/**
 * Reads what the program printed: `{words}`, `{segments}`, whisper.cpp's `{transcription}` or sherpa-onnx's
 * `{tokens, timestamps}`.
 * @throws PermanentError `SpeechMalformed`
 */
export function heardIn(output: string, speaker: number): Heard {
  const start = output.indexOf('{');
  let printed: Printed;
  try {
    printed = parseJson(output.slice(start, output.lastIndexOf('}') + 1)) as Printed;
  } catch {
    throw malformed('no JSON');
  }
  const language = printed.language ?? printed.result?.language ?? null;
  const turn = (text: string, startMs: number, endMs: number): Turn => ({
    speaker,
    startMs: Math.round(startMs),
    endMs: Math.round(Math.max(startMs, endMs)),
    text: text.trim(),
    words: [],
    confidence: null,
  });
  if (printed.words !== undefined) {
    const words = printed.words.map(({ word, text, start, end, confidence }) => ({
      speaker,
      text: (word ?? text ?? '').trim(),
      startMs: Math.round(start * 1000),
      endMs: Math.round(Math.max(start, end) * 1000),
      confidence: confidence ?? null,
    }));
    return { language, words };
  }
  if (printed.segments !== undefined)
    return {
      language,
      words: [],
      turns: printed.segments.map(({ text, start, end }) => turn(text, start * 1000, end * 1000)),
    };
  if (printed.transcription !== undefined)
    return {
      language,
      words: [],
      turns: printed.transcription.map(({ text, offsets }) => turn(text, offsets.from, offsets.to)),
    };
  if (printed.tokens !== undefined && printed.timestamps !== undefined)
    return { language, words: wordsOfTokens(printed.tokens, printed.timestamps, speaker) };
  throw malformed(`an object with ${Object.keys(printed).slice(0, 10).join(', ')}`);
}

/** Pieces of words: one that begins with a space (or its sign `▁`) begins a word. */
function wordsOfTokens(
  tokens: readonly string[],
  timestamps: readonly number[],
  speaker: number,
): readonly SpokenWord[] {
  const words: SpokenWord[] = [];
  tokens.forEach((token, index) => {
    const startMs = Math.round((timestamps[index] ?? 0) * 1000);
    const endMs = Math.round((timestamps[index + 1] ?? (timestamps[index] ?? 0) + 0.3) * 1000);
    const last = words.at(-1);
    if (/^[ ▁]/.test(token) || last === undefined)
      words.push({ speaker, text: token.replace(/^[ ▁]+/, ''), startMs, endMs, confidence: null });
    else words[words.length - 1] = { ...last, text: last.text + token, endMs };
  });
  return words.filter(({ text }) => text !== '');
}

function malformed(what: string): PermanentError {
  return new PermanentError(
    'SpeechMalformed',
    `The speech command printed ${what}; allowed: JSON with words, segments, transcription, or tokens and timestamps`,
  );
}
