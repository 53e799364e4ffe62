import type { TextSegment } from '../../../src/domains/links/stores/contract.ts';

const MAX_SEGMENTS = 20_000;
const TIMES = /^(\d{1,3}:)?(\d{1,2}):(\d{2})[.,](\d{3})\s+-->\s+(\d{1,3}:)?(\d{1,2}):(\d{2})[.,](\d{3})/;

/**
 * The parts of a file of captions, WebVTT or SubRip; empty for anything else. Tags are taken out, and lines
 * that roll on (the text of the part before again) are there once.
 */
export function parseCaptions(file: string): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  let last = '';
  for (const block of file.replace(/^\ufeff/, '').split(/\r?\n\r?\n/, MAX_SEGMENTS)) {
    const lines = block.split(/\r?\n/);
    const at = lines.findIndex((line) => line.includes('-->'));
    const times = TIMES.exec(lines[at]?.trim() ?? '');
    if (times === null) continue;
    const text = lines
      .slice(at + 1)
      .map(plain)
      .filter((line) => line !== '' && line !== last)
      .join(' ');
    if (text === '') continue;
    last = plain(lines.at(-1) ?? '');
    segments.push({ startMs: msOf(times, 1), endMs: msOf(times, 5), text });
  }
  return segments;
}

function msOf(times: RegExpExecArray, from: number): number {
  const part = (offset: number) => Number.parseInt(times[from + offset] ?? '0', 10);
  return part(0) * 3_600_000 + part(1) * 60_000 + part(2) * 1_000 + part(3);
}

function plain(line: string): string {
  let text = '';
  let isTag = false;
  for (const character of line.slice(0, 2_000)) {
    if (character === '<') isTag = true;
    else if (character === '>' && isTag) isTag = false;
    else if (!isTag) text += character;
  }
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', ' ')
    .trim();
}
