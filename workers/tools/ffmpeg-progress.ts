/** Where an ffmpeg run is. */
export interface FfmpegProgress {
  /** How much of the output is made, in seconds of its time. */
  readonly outSeconds: number;
  readonly frames: number;
  /** Seconds of output per second of wall time; null while unknown. */
  readonly speed: number | null;
}

/**
 * Reads the lines of `-progress`. Returns a report at the end of each block that shows an advance over the
 * one before; null otherwise, so that a stuck ffmpeg, which goes on reporting, does not look alive.
 */
export class FfmpegProgressReader {
  #outSeconds = 0;
  #frames = 0;
  #speed: number | null = null;
  #reportedSeconds = -1;
  #reportedFrames = -1;

  read(line: string): FfmpegProgress | null {
    const equals = line.indexOf('=');
    const value = line.slice(equals + 1).trim();
    switch (line.slice(0, equals)) {
      case 'frame':
        this.#frames = finite(value) ?? this.#frames;
        return null;
      // `out_time_ms` says microseconds as well, in every version so far; this one says what it means.
      case 'out_time_us':
        this.#outSeconds = Math.max(this.#outSeconds, (finite(value) ?? 0) / 1e6);
        return null;
      case 'speed':
        this.#speed = finite(value.replace(/x$/, ''));
        return null;
      case 'progress':
        return this.#report();
      default:
        return null;
    }
  }

  #report(): FfmpegProgress | null {
    if (this.#outSeconds <= this.#reportedSeconds && this.#frames <= this.#reportedFrames) return null;
    this.#reportedSeconds = this.#outSeconds;
    this.#reportedFrames = this.#frames;
    return { outSeconds: this.#outSeconds, frames: this.#frames, speed: this.#speed };
  }
}

function finite(text: string): number | null {
  const number = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}
