/** What an error says at most: it may hold text of a client's, and goes into answers and logs. */
export const MAX_ERROR_MESSAGE_LENGTH = 1_000;

/**
 * A text that is no longer than that: its head and its end, with how much was omitted in between.
 * Well-formed.
 */
export function bounded(text: string, maxLength: number = MAX_ERROR_MESSAGE_LENGTH): string {
  if (text.length <= maxLength) return text;
  const tail = Math.floor(maxLength / 4);
  const head = maxLength - tail - 40;
  return `${text.slice(0, head)} … ${text.length - head - tail} characters omitted … ${text.slice(-tail)}`.toWellFormed();
}
