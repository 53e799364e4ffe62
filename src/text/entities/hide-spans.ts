export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Neither letter nor digit nor space, and in no pattern: what is behind it begins again. */
const HIDDEN = '\uFFFC';

/** The text with these spans, in ascending order, made unrecognisable; everything else stays where it is. */
export function hideSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(at, start), HIDDEN.repeat(end - start));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
