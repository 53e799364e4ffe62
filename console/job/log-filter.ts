import { dataText, type LogLineShown, streamOf } from './shown-line.ts';

/** Which lines of a log are shown. It holds for those that are still to come, too. */
export interface LogFilter {
  /** Levels and streams that are not shown. */
  readonly hidden: ReadonlySet<string>;
  /** A part of what a line shows, in any case; empty for all. */
  readonly wanted: string;
  /** The run whose lines alone are shown; null for those of all. */
  readonly runNo: number | null;
}

export function linesShown(
  all: readonly LogLineShown[],
  { hidden, wanted, runNo }: LogFilter,
): readonly LogLineShown[] {
  if (hidden.size === 0 && wanted === '' && runNo === null) return all;
  const words = wanted.toLowerCase();
  return all.filter(
    (line) =>
      (runNo === null || line.runNo === runNo) &&
      !hidden.has(line.level) &&
      !hidden.has(streamOf(line) ?? '') &&
      (words === '' || `${line.message} ${dataText(line)}`.toLowerCase().includes(words)),
  );
}
