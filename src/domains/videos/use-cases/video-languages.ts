import { DomainError } from '../../../core/errors.ts';
import { LANGUAGE_PATTERN, MAX_LANGUAGES } from '../../../core/languages.ts';

/** @throws DomainError `InvalidArgument` naming `languages`, or the place in it */
export function checkLanguages(languages: readonly string[]): void {
  if (languages.length < 1 || languages.length > MAX_LANGUAGES)
    throw refused('languages', `has ${languages.length} values`);
  for (const [at, language] of languages.entries()) {
    const isGood = LANGUAGE_PATTERN.test(language) && languages.indexOf(language) === at;
    if (!isGood) throw refused(`languages[${at}]`, `is ${JSON.stringify(language.slice(0, 20))}`);
  }
}

function refused(field: string, problem: string): DomainError {
  const allowed = `1 to ${MAX_LANGUAGES} different names like eng, deu, chi_sim`;
  return new DomainError('InvalidArgument', `${field} ${problem}; allowed: ${allowed}.`, { field, allowed });
}
