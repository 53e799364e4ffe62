import type { SpokenWord } from '../../../src/domains/calls/index.ts';
import { throwIfFailed } from '../media-error.ts';
import { runProcess } from '../process.ts';
import type { PollAnswer, SpeechProvider } from './provider.ts';

export interface PocketsphinxOptions {
  /** The path of pocketsphinx_continuous. */
  readonly path: string;
  /** With `en-us`, `en-us.lm.bin` and `cmudict-en-us.dict`. */
  readonly modelDir: string;
}

const MIN_TIMEOUT_MS = 120_000;
const TIMEOUT_PER_MS = 6;
const MAX_OUTPUT_BYTES = 64 * 2 ** 20;
/** `word 0.150 0.270 0.556344`; a pronunciation beside the first is `word(2)`. */
const WORD_LINE = /^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/;

/**
 * US English without any service: a program of Debian. One word in fifteen is wrong in clear speech, one in
 * three on the telephone.
 */
export function createPocketsphinx({ path, modelDir }: PocketsphinxOptions): SpeechProvider {
  return {
    name: 'pocketsphinx',
    model: 'en-us',
    isDraft: true,
    isCharged: false,
    takesOgg: false,
    start: async () => 'at-once',
    poll: async (_operationId, audio, signal): Promise<PollAnswer> => {
      const words: SpokenWord[] = [];
      for (let speaker = 0; speaker < audio.channels; speaker++) {
        const result = await runProcess({
          file: path,
          args: [
            ...['-infile', await audio.wavOf(speaker), '-time', 'yes', '-logfn', '/dev/null'],
            ...['-hmm', `${modelDir}/en-us`, '-lm', `${modelDir}/en-us.lm.bin`],
            ...['-dict', `${modelDir}/cmudict-en-us.dict`],
          ],
          cwd: await audio.directory(),
          timeoutMs: Math.max(MIN_TIMEOUT_MS, TIMEOUT_PER_MS * audio.durationMs),
          maxOutputBytes: MAX_OUTPUT_BYTES,
          signal,
        });
        throwIfFailed('pocketsphinx', result, signal);
        words.push(...wordsIn(result.stdout, speaker));
      }
      return { state: 'done', heard: { language: 'en-US', words } };
    },
  };
}

function wordsIn(output: string, speaker: number): readonly SpokenWord[] {
  const words: SpokenWord[] = [];
  for (const line of output.split('\n')) {
    const [, word = '', start, end, probability] = WORD_LINE.exec(line.trim()) ?? [];
    // `<s>`, `<sil>`, `[NOISE]`, `++BREATH++`.
    if (word === '' || /^[<[+]/.test(word)) continue;
    words.push({
      speaker,
      text: word.replace(/\(\d+\)$/, ''),
      startMs: Math.round(Number(start) * 1000),
      endMs: Math.round(Number(end) * 1000),
      confidence: Math.min(1, Number(probability)),
    });
  }
  return words;
}
