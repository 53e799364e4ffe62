/** How much a check weighs: a MUST that does not hold fails the run, the others are listed. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';

interface Row {
  readonly id: string;
  readonly level: Level;
  readonly holds: boolean;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** SHOULD and MAY that do not hold. */
  readonly skipped: number;
}

const MAX_DETAIL = 300;

/** Collects what one tool found, a line for each check as it is done. */
export class Report {
  readonly #rows: Row[] = [];
  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void = console.log) {
    this.#print = print;
  }

  add(id: string, level: Level, what: string, holds: boolean, detail = ''): void {
    this.#rows.push({ id, level, holds });
    const mark = holds ? 'ok  ' : level === 'MUST' ? 'FAIL' : 'warn';
    const why = holds || detail === '' ? '' : `  <- ${detail.slice(0, MAX_DETAIL)}`;
    this.#print(`${mark} ${id} ${level} ${what}${why}`);
  }

  /** Does a check; it holds unless it throws. */
  async check(id: string, level: Level, what: string, look: () => unknown): Promise<void> {
    try {
      await look();
      this.add(id, level, what, true);
    } catch (thrown) {
      this.add(id, level, what, false, thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  counts(): Counts {
    const failed = this.#rows.filter(({ holds, level }) => !holds && level === 'MUST').length;
    const skipped = this.#rows.filter(({ holds, level }) => !holds && level !== 'MUST').length;
    return { passed: this.#rows.length - failed - skipped, failed, skipped };
  }
}

/** Ends a check as one that does not hold. */
export function fail(message: string): never {
  throw new Error(message);
}

/** Fails unless both are the same as JSON. */
export function expectEqual(actual: unknown, wanted: unknown, what: string): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(wanted)];
  if (is !== should) fail(`${what}: wanted ${should}, got ${is}`);
}
