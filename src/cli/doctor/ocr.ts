import { findOcrTools, type OcrToolsOptions } from '../../../workers/tools/ocr-tools.ts';
import { toError } from '../../core/errors.ts';
import { defaultLanguages } from '../../core/languages.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const FIX = 'Install tesseract 4 or newer (Debian: apt install tesseract-ocr), or set TESSERACT_PATH.';

/**
 * What reads texts in pictures, and whether it has the languages that new videos are given. Without it only
 * `ocr` jobs fail, which is a warning.
 */
export async function checkOcr(
  options: OcrToolsOptions & { readonly languages: readonly string[] | null },
): Promise<Finding> {
  try {
    const { engine, version, path, languages } = await findOcrTools(options);
    const wanted = options.languages ?? defaultLanguages(languages);
    const missing = wanted.filter((language) => !languages.includes(language));
    const shown = `${path ?? engine} ${version}: ${languages.join(', ')}`;
    if (missing.length === 0 && options.languages === null && wanted.every((language) => language === 'eng'))
      return warn(
        'ocr',
        `${shown}; videos that name none are read in eng alone, which mostly misreads letters with marks (Müller, Émile)`,
        `Install more data (Debian: apt install ${['deu', 'fra'].map(debianPackage).join(' ')}), or set MILLRACE_OCR_LANGUAGES=eng where that is enough.`,
      );
    if (missing.length === 0)
      return ok('ocr', `${shown}; videos that name none are read in ${wanted.join(', ')}`);
    const which = options.languages === null ? 'the default' : 'MILLRACE_OCR_LANGUAGES';
    const message = `${shown}; ${which} also has ${missing.join(', ')}, and ocr jobs of such videos will fail`;
    const fix = `Install their data (Debian: apt install ${missing.map(debianPackage).join(' ')}).`;
    return warn('ocr', message, fix);
  } catch (error) {
    const { message } = toError(error);
    return options.tesseractPath === null
      ? warn('ocr', `${message}; ocr jobs will fail`, FIX)
      : fail('ocr', message, FIX);
  }
}

/** `chi_sim` is in `tesseract-ocr-chi-sim`. */
function debianPackage(language: string): string {
  return `tesseract-ocr-${language.replaceAll('_', '-')}`;
}
