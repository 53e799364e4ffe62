import type { PixelBox } from '../../../text/text-line.ts';

/** What is shorter may well be two different words. */
export const MIN_MISREAD_LENGTH = 6;
/** One letter of a shorter word makes another word of it: "Camera A", "on" and "of", "left" and "lift". */
const MIN_WORD_LENGTH = 5;
/**
 * The share of their joint area that two boxes must both cover: the same place of the picture, give or
 * take a few pixels.
 */
const MIN_SHARED_AREA = 0.6;

/**
 * Whether two normalised texts may be one text, read once with a wrong letter: they differ in one letter of a
 * word of five or more. Digits never count as misread for one another (a clock, a counter, "Step 2"), and no
 * letter may be missing: a text that grows by letters is being typed.
 */
export function isMisreading(a: string, b: string): boolean {
  if (a.length !== b.length || a.length < MIN_MISREAD_LENGTH || a === b) return false;
  let at = 0;
  while (a[at] === b[at]) at++;
  if (a.slice(at + 1) !== b.slice(at + 1)) return false;
  const letters = [a.charAt(at), b.charAt(at)];
  if (letters.some((letter) => letter === ' ') || letters.every(isDigit)) return false;
  const begin = a.lastIndexOf(' ', at) + 1;
  const end = a.indexOf(' ', at);
  return (end < 0 ? a.length : end) - begin >= MIN_WORD_LENGTH;
}

/** Whether two boxes are about the same place. */
export function isSamePlace(a: PixelBox, b: PixelBox): boolean {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return false;
  const shared = width * height;
  return shared >= MIN_SHARED_AREA * (a.width * a.height + b.width * b.height - shared);
}

function isDigit(letter: string): boolean {
  return letter >= '0' && letter <= '9';
}
