import type { PixelBox, TextWord } from '../../../src/core/pipelines/text-line.ts';

/** A word with the line that the reader put it in. */
export interface ReadWord extends TextWord {
  /** Which picture of several, from 1 on. */
  readonly page: number;
  /** Same text, same line. */
  readonly line: string;
}

/** Of a word's row: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
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
    const [page, block, paragraph, line] = cells.slice(1, 5);
    const [x = 0, y = 0, width = 0, height = 0, percent = 0] = cells.slice(6, 11).map(Number);
    words.push({
      text,
      page: Number(page),
      line: `${page}.${block}.${paragraph}.${line}`,
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
