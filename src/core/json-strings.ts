/**
 * Where a string of a valid JSON text ends.
 * @param start place of its opening quote, or of any of its characters that is not escaped
 * @returns place of its closing quote; the text's length where there is none
 */
export function endOfString(json: string, start: number): number {
  for (let at = start + 1; ; ) {
    const quote = json.indexOf('"', at);
    if (quote === -1) return json.length;
    let first = quote;
    while (first > at && json.charCodeAt(first - 1) === 0x5c) first--;
    // Behind an odd number of backslashes it is one of the text's own.
    if ((quote - first) % 2 === 0) return quote;
    at = quote + 1;
  }
}
