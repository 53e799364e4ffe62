import { Type } from 'typebox';

/** Languages of a video's texts by Tesseract's names (`eng`, `deu`, `chi_sim`), passed from stage to stage. Left away: as the worker is configured. */
export const LANGUAGES = Type.Optional(
  Type.Array(Type.String({ pattern: '^[a-z]{3}(_[a-z]+)?$' }), {
    minItems: 1,
    maxItems: 10,
    uniqueItems: true,
  }),
);
