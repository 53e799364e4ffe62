import type { DomainError } from '../core/errors.ts';
import { enumName } from './enum-name.ts';

const WORD = /(?<![\w-])[a-z][a-z_:]*(?![\w-])/g;

/** What an error says is allowed, its words in the form that the API's enums have: `FAILED, DEAD_LETTER`. */
export function allowedOf({ details: { allowed, enumWords } }: DomainError): string | undefined {
  return allowed && inEnumForm(allowed, enumWords);
}

/** An error's message, with the words of enums likewise. */
export function messageOf({ message, details: { enumWords } }: DomainError): string {
  return inEnumForm(message, enumWords);
}

function inEnumForm(text: string, words: readonly string[] = []): string {
  if (words.length === 0) return text;
  // `tenant_admin:` in a sentence is the word and a colon.
  return text.replaceAll(WORD, (found) => {
    const word = found.replace(/:$/, '');
    return words.includes(word) ? found.replace(word, enumName(word)) : found;
  });
}
