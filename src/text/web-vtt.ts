import type { PixelBox } from './text-line.ts';

/** What every WebVTT file begins with. */
export const WEB_VTT_HEAD = 'WEBVTT\n\n';

/** A text to be shown for a while. */
export interface TextCue {
  /** Without `-->` and line breaks; a UUID. */
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  /** Its place in the picture, in pixels of the source; null leaves the place to the player. */
  readonly box: PixelBox | null;
}

export interface PictureSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * A line of text in a picture is far shorter; what a foreign writer left must not be a cue that fills the
 * memory of a player.
 */
const MAX_CUE_CHARACTERS = 1000;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A cue of a WebVTT file with the empty line that ends it. Its identifier is the segment's, so that a page
 * can find the one by the other.
 * @param picture of the video as displayed; null while it is not known, and cues have no place
 */
export function webVttCue({ id, startMs, endMs, text, box }: TextCue, picture: PictureSize | null): string {
  // A cue that does not end behind its start is no cue.
  const range = `${webVttTime(startMs)} --> ${webVttTime(Math.max(endMs, startMs + 1))}`;
  return `${id}\n${range}${box === null || picture === null ? '' : settingsOf(box, picture)}\n${cueText(text)}\n\n`;
}

/** `01:02:03.004`: hours have two digits or more. @param ms not negative */
export function webVttTime(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const [hours, minutes, seconds] = [whole / 3_600_000, (whole / 60_000) % 60, (whole / 1000) % 60];
  return `${two(hours)}:${two(minutes)}:${two(seconds)}.${String(whole % 1000).padStart(3, '0')}`;
}

/** The left upper corner of the box; the text begins there. */
function settingsOf({ x, y }: PixelBox, { widthPx, heightPx }: PictureSize): string {
  return ` line:${percent(y, heightPx)} position:${percent(x, widthPx)} align:start`;
}

function percent(at: number, of: number): string {
  const share = (100 * at) / of;
  return `${Math.round(100 * Math.min(100, Math.max(0, Number.isFinite(share) ? share : 0))) / 100}%`;
}

/** An empty line would end the cue, and `-->` is no text of one. */
function cueText(text: string): string {
  return text
    .slice(0, MAX_CUE_CHARACTERS)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .replace(/[&<>]/g, (character) => ESCAPES[character] as string)
    .toWellFormed();
}
