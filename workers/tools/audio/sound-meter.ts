/** A time in a recording. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** What a recording sounds like, channel by channel. */
export interface SoundMap {
  readonly durationMs: number;
  /** Both channels are the same sound. */
  readonly isMonoInStereo: boolean;
  /** Nobody could hear anything. */
  readonly isSilent: boolean;
  readonly peaksPerSecond: number;
  /** Loudest sample of each piece, 0 to 255, by channel: what a player draws. */
  readonly peaks: readonly (readonly number[])[];
  /** When there is sound, by channel. */
  readonly speech: readonly (readonly Span[])[];
  /** When no channel has any, of half a second or more. */
  readonly silences: readonly Span[];
}

export const SAMPLE_RATE_HZ = 16_000;
const FRAME_MS = 20;
const FRAME_SAMPLES = (SAMPLE_RATE_HZ * FRAME_MS) / 1000;
const PEAKS_PER_SECOND = 10;
const FRAMES_PER_PEAK = 1000 / PEAKS_PER_SECOND / FRAME_MS;
/** Below it nobody hears anything, in dB of full scale. */
const SILENT_DB = -60;
/** Sound is this far above the noise of its channel, and never below the least. */
const ABOVE_NOISE_DB = 10;
const LEAST_SOUND_DB = -50;
/** Pauses within speech, and how long sound must last to be any. */
const JOINED_GAP_MS = 500;
const LEAST_SPEECH_MS = 160;
const LEAST_SILENCE_MS = 500;
/** Channels that differ by less than this share of their energy are one sound. */
const SAME_SHARE = 0.001;

/** Measures 16-bit samples as they come; the whole recording is never in memory. */
export class SoundMeter {
  readonly #channels: number;
  readonly #decibels: number[][];
  readonly #peaks: number[][];
  #rest: Buffer = Buffer.alloc(0);
  #sums: number[];
  #frameSamples = 0;
  #framePeaks: number[];
  #samples = 0;
  #energy = 0;
  #difference = 0;

  constructor(channels: number) {
    this.#channels = channels;
    this.#decibels = Array.from({ length: channels }, () => []);
    this.#peaks = Array.from({ length: channels }, () => []);
    this.#sums = new Array<number>(channels).fill(0);
    this.#framePeaks = new Array<number>(channels).fill(0);
  }

  /** Takes signed 16-bit little-endian samples, the channels in turns. */
  add(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const step = 2 * this.#channels;
    const whole = bytes.length - (bytes.length % step);
    for (let at = 0; at < whole; at += step) this.#sample(bytes, at);
    this.#rest = bytes.subarray(whole);
  }

  #sample(bytes: Buffer, at: number): void {
    let first = 0;
    for (let channel = 0; channel < this.#channels; channel++) {
      const value = bytes.readInt16LE(at + 2 * channel);
      const square = value * value;
      this.#sums[channel] = (this.#sums[channel] as number) + square;
      const size = value < 0 ? -value : value;
      if (size > (this.#framePeaks[channel] as number)) this.#framePeaks[channel] = size;
      this.#energy += square;
      if (channel === 0) first = value;
      else this.#difference += (value - first) ** 2;
    }
    this.#samples += 1;
    this.#frameSamples += 1;
    if (this.#frameSamples === FRAME_SAMPLES) this.#endFrame();
  }

  #endFrame(): void {
    for (let channel = 0; channel < this.#channels; channel++) {
      const decibels = this.#decibels[channel] as number[];
      const power = (this.#sums[channel] as number) / this.#frameSamples / 32_768 ** 2;
      const piece = Math.floor(decibels.length / FRAMES_PER_PEAK);
      decibels.push(power === 0 ? Number.NEGATIVE_INFINITY : 10 * Math.log10(power));
      const peaks = this.#peaks[channel] as number[];
      const peak = Math.round(((this.#framePeaks[channel] as number) / 32_768) * 255);
      peaks[piece] = Math.max(peaks[piece] ?? 0, peak);
      this.#sums[channel] = 0;
      this.#framePeaks[channel] = 0;
    }
    this.#frameSamples = 0;
  }

  /** What the samples so far sound like. */
  map(): SoundMap {
    if (this.#frameSamples > 0) this.#endFrame();
    const durationMs = Math.round((this.#samples * 1000) / SAMPLE_RATE_HZ);
    const speech = this.#decibels.map((decibels) => speechOf(decibels, durationMs));
    return {
      durationMs,
      isMonoInStereo: this.#channels > 1 && this.#difference <= SAME_SHARE * this.#energy,
      isSilent: this.#decibels.every((decibels) => decibels.every((value) => value < SILENT_DB)),
      peaksPerSecond: PEAKS_PER_SECOND,
      peaks: this.#peaks,
      speech,
      silences: gapsBetween(joined(speech.flat(), 0), durationMs).filter(
        ({ startMs, endMs }) => endMs - startMs >= LEAST_SILENCE_MS,
      ),
    };
  }
}

function speechOf(decibels: readonly number[], durationMs: number): readonly Span[] {
  const sorted = decibels.filter(Number.isFinite).toSorted((a, b) => a - b);
  const noise = sorted[Math.floor(sorted.length / 10)] ?? SILENT_DB;
  const loud = sorted[Math.floor(sorted.length * 0.95)] ?? SILENT_DB;
  // Where somebody speaks without a pause, the noise is not to be seen: then half-way to what is loud.
  const least = Math.max(LEAST_SOUND_DB, Math.min(noise + ABOVE_NOISE_DB, loud - ABOVE_NOISE_DB));
  const spans: Span[] = [];
  decibels.forEach((value, frame) => {
    if (value >= least)
      spans.push({ startMs: frame * FRAME_MS, endMs: Math.min(durationMs, (frame + 1) * FRAME_MS) });
  });
  return joined(spans, JOINED_GAP_MS).filter(({ startMs, endMs }) => endMs - startMs >= LEAST_SPEECH_MS);
}

function joined(spans: readonly Span[], gapMs: number): readonly Span[] {
  const result: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = result.at(-1);
    if (last !== undefined && startMs - last.endMs <= gapMs) last.endMs = Math.max(last.endMs, endMs);
    else result.push({ startMs, endMs });
  }
  return result;
}

function gapsBetween(spans: readonly Span[], durationMs: number): readonly Span[] {
  const gaps: Span[] = [];
  let fromMs = 0;
  for (const { startMs, endMs } of spans) {
    if (startMs > fromMs) gaps.push({ startMs: fromMs, endMs: startMs });
    fromMs = Math.max(fromMs, endMs);
  }
  if (durationMs > fromMs) gaps.push({ startMs: fromMs, endMs: durationMs });
  return gaps;
}
