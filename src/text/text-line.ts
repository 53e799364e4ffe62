/** A box in pixels of the source as displayed. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TextWord extends PixelBox {
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/** A line of text that was read in a picture. */
export interface TextLine {
  /** Its words with one space between them. */
  readonly text: string;
  readonly words: readonly TextWord[];
  /** Mean of its words', 0 to 1. */
  readonly confidence: number;
  /** Tesseract's name: `eng`. */
  readonly language: string;
  readonly box: PixelBox;
}
