import { LANGUAGE_PATTERN, MAX_LANGUAGES } from '../core/languages.ts';
import { list, optionalText, type Setting } from './settings.ts';

/** How texts in pictures are read. */
export const OCR_SETTINGS = {
  tesseractPath: optionalText(
    'TESSERACT_PATH',
    'tesseract to read texts with; otherwise version 4 or newer on PATH, otherwise the one from npm.',
    /[\s\S]/,
    'a path',
  ),
  ocrLanguages: languages(
    'MILLRACE_OCR_LANGUAGES',
    "Languages of the texts in videos that name none, by Tesseract's names (`eng,deu`), comma-separated. By default those of eng, deu, fra, spa, ita, por and nld that the worker's reader has, five at most; see video-search.md.",
  ),
} as const;

function languages(variable: string, description: string): Setting<readonly string[] | null> {
  const allowed = `1 to ${MAX_LANGUAGES} of Tesseract's language names (eng, chi_sim), comma-separated`;
  const setting = list(variable, description, LANGUAGE_PATTERN, allowed);
  return {
    ...setting,
    defaultText: null,
    parse: (given) => {
      const named = [...new Set(setting.parse(given))];
      if (named.length === 0 || named.length > MAX_LANGUAGES) throw new Error(allowed);
      return named;
    },
  };
}
