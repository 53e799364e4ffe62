import type { LogLineShown } from './shown-line.ts';

/** A line of a log: its number within its run. */
export interface LogPlace {
  /** Null: of the last run that has such a line. */
  readonly runNo: number | null;
  readonly lineNo: number;
}

/** As addresses have it: `40`, or `2.40` for line 40 of run 2. */
export function placeOf(text: string | undefined): LogPlace | null {
  const [first, second] = text?.split('.').map(Number) ?? [];
  if (first === undefined) return null;
  return second === undefined ? { runNo: null, lineNo: first } : { runNo: first, lineNo: second };
}

export function placeText({ runNo, lineNo }: LogLineShown): string {
  return `${runNo}.${lineNo}`;
}

/** @returns its index, or -1 */
export function indexOfPlace(lines: readonly LogLineShown[], place: LogPlace): number {
  return lines.findLastIndex(
    ({ runNo, lineNo }) => lineNo === place.lineNo && (place.runNo === null || runNo === place.runNo),
  );
}

/** The runs that have written these lines, in order. */
export function runsOf(lines: readonly LogLineShown[]): readonly number[] {
  const runs: number[] = [];
  for (const { runNo } of lines) if (runs.at(-1) !== runNo && !runs.includes(runNo)) runs.push(runNo);
  return runs.sort((a, b) => a - b);
}
