import { parseJson } from '../../../src/core/parse-json.ts';

/**
 * Reads JSON objects that follow each other, with or without lines between them; a list of them too. @throws
 * SyntaxError
 */
export function jsonSequence(text: string): readonly unknown[] {
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) return parseJson(trimmed) as unknown[];
  const found: unknown[] = [];
  let [depth, start, inText] = [0, 0, false];
  for (let at = 0; at < trimmed.length; at++) {
    const sign = trimmed[at];
    if (inText) {
      if (sign === '\\') at += 1;
      else if (sign === '"') inText = false;
      continue;
    }
    if (sign === '"') inText = true;
    else if (sign === '{') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (sign === '}') {
      depth -= 1;
      if (depth === 0) found.push(parseJson(trimmed.slice(start, at + 1)));
    }
  }
  if (depth !== 0) throw new SyntaxError('The sequence of JSON objects ends within one');
  return found;
}
