import { DomainError } from '../../../core/errors.ts';
import { LANGUAGE_PATTERN, MAX_LANGUAGES } from '../../../core/languages.ts';

/** @throws DomainError `InvalidArgument` naming `languages` */
export function checkLanguages(languages: readonly string[]): void {
  const isGood =
    languages.length >= 1 &&
    languages.length <= MAX_LANGUAGES &&
    languages.every((language) => LANGUAGE_PATTERN.test(language)) &&
    new Set(languages).size === languages.length;
  if (isGood) return;
  const shown = JSON.stringify(
    languages.slice(0, MAX_LANGUAGES + 1).map((language) => language.slice(0, 20)),
  );
  const allowed = `1 to ${MAX_LANGUAGES} different names like eng, deu, chi_sim`;
  throw new DomainError('InvalidArgument', `languages is ${shown}; allowed: ${allowed}.`, {
    field: 'languages',
    allowed,
  });
}
