/**
 * What a terminal obeys instead of showing it: control characters of either set, and marks that turn the
 * direction of writing.
 */
const OBEYED = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Text for a terminal, with what is not shown as `\u001b`; lines and tabs stay. Who wrote a name may mean
 * harm to who lists it.
 */
export function visible(text: string): string {
  return text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for one cell of a table, which holds neither tabs nor ends of lines. */
export function visibleCell(text: string): string {
  return visible(text).replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}
