import { Type } from '../payload-type.ts';

/** Tesseract's name of a language. */
export const LANGUAGE_PATTERN = /^[a-z]{3}(_[a-z]+)?$/;
/** Each makes the reader slower. */
export const MAX_LANGUAGES = 10;

/** Languages of a video's texts by Tesseract's names (`eng`, `deu`, `chi_sim`), passed from stage to stage. Left away: as the worker is configured. */
export const LANGUAGES = Type.Optional(
  Type.Array(Type.String({ pattern: LANGUAGE_PATTERN.source }), {
    minItems: 1,
    maxItems: MAX_LANGUAGES,
    uniqueItems: true,
  }),
);
