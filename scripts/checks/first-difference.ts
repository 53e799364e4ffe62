/** Where two texts part: the line number and both lines; undefined when the texts are the same. */
export function firstDifference(committed: string, printed: string): string | undefined {
  if (committed === printed) return undefined;
  const [was, is] = [committed.split('\n'), printed.split('\n')];
  const line = is.findIndex((text, index) => text !== was[index]);
  const at = line === -1 ? is.length : line;
  return `line ${at + 1}\n  committed: ${was[at] ?? '(ends)'}\n  printed:   ${is[at] ?? '(ends)'}`;
}
