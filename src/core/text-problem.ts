/** What keeps a text from being stored or compared, and what would be taken. */
export interface TextProblem {
  readonly problem: string;
  readonly allowed: string;
}

/**
 * Postgres takes neither NUL nor half a surrogate pair: the one fails there, the other would come back as
 * another text.
 * @param maxLength in UTF-16 units
 */
export function textProblem(text: string, maxLength: number = Number.POSITIVE_INFINITY): TextProblem | null {
  if (text.length > maxLength)
    return { problem: `has ${text.length} characters`, allowed: `at most ${maxLength} characters` };
  if (text.includes('\0')) return { problem: 'contains a NUL character', allowed: 'text without U+0000' };
  if (!text.isWellFormed())
    return { problem: 'contains half of a surrogate pair', allowed: 'well-formed Unicode' };
  return null;
}
