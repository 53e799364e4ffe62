import type { PixelBox, TextWord } from '../../../src/text/text-line.ts';

/** A word with the picture that it was read in. */
export interface ReadWord extends TextWord {
  /** Which picture of several, from 1 on. */
  readonly page: number;
}

/**
 * Columns of a word's row: level, page, block, paragraph, line, word, left, top, width, height, confidence,
 * text.
 */
const COLUMNS = 12;
const WORD_LEVEL = '5';

/** What edges of windows, underlines and specks are taken for; as words nobody looks for them. */
const EDGES = /^[|¦_\-–—=~.,:;·•'"`‘’“”]+$/;

/** Reads Tesseract's TSV. Words that are nothing but lines and dots are left out. */
export function readTsv(tsv: string): readonly ReadWord[] {
  const words: ReadWord[] = [];
  for (const row of tsv.split('\n')) {
    const cells = row.split('\t');
    if (cells[0] !== WORD_LEVEL || cells.length < COLUMNS) continue;
    const text = cells
      .slice(COLUMNS - 1)
      .join(' ')
      .trim();
    if (text === '' || EDGES.test(text)) continue;
    const [x = 0, y = 0, width = 0, height = 0, percent = 0] = cells.slice(6, 11).map(Number);
    words.push({
      text,
      page: Number(cells[1]),
      confidence: Math.min(1, Math.max(0, percent / 100)),
      ...{ x, y, width, height },
    });
  }
  return words;
}

/** The box around boxes, of which there is at least one. */
export function boxAround(boxes: readonly PixelBox[]): PixelBox {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}
