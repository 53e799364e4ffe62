import { Type } from './payload-type.ts';

/** Tesseract's name of a language. */
export const LANGUAGE_PATTERN = /^[a-z]{3}(_[a-z]+)?$/;
/** Each makes the reader slower. */
export const MAX_LANGUAGES = 10;

/**
 * What is read where neither a video nor the installation names languages, the first first: written in Latin
 * letters, and widely spoken.
 */
const DEFAULT_LANGUAGES = ['eng', 'deu', 'fra', 'spa', 'ita', 'por', 'nld'] as const;
/** More languages take more time: three take 1.4 times that of one a frame, five 1.9 times. */
const MAX_DEFAULT_LANGUAGES = 5;

/**
 * The languages that are read where none are named.
 * @param available of which the reader of texts has data
 */
export function defaultLanguages(available: readonly string[]): readonly string[] {
  const there = DEFAULT_LANGUAGES.filter((language) => available.includes(language));
  // Without any of them, the first of the list: the error then names what the reader has.
  return there.length === 0 ? [DEFAULT_LANGUAGES[0]] : there.slice(0, MAX_DEFAULT_LANGUAGES);
}

/**
 * Languages of a video's texts by Tesseract's names (`eng`, `deu`, `chi_sim`), passed from stage to stage.
 * When omitted, as the worker is configured.
 */
export const LANGUAGES = Type.Optional(
  Type.Array(Type.String({ pattern: LANGUAGE_PATTERN.source }), {
    minItems: 1,
    maxItems: MAX_LANGUAGES,
    uniqueItems: true,
  }),
);
