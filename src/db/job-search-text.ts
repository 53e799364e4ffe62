/** Characters of an error's message that a text is looked for in; a stack or an output may be behind them. */
const SEARCHED_MESSAGE_CHARACTERS = 500;

/** What is found by text, of a job that the feed reports. */
interface SearchedJob {
  /** The message is its first `SEARCHED_MESSAGE_CHARACTERS`. */
  readonly error?: { readonly type: string | null; readonly message: string | null };
  readonly correlationId: string | null;
  readonly subject: { readonly type: string; readonly id: string } | null;
  readonly tags?: readonly string[];
}

/**
 * The text of a job's row in which a filter looks: its error's type and the beginning of its message,
 * correlation id, subject and tags. Not the payload: it may hold secrets, which would be found letter by
 * letter.
 */
export function jobSearchText(row: string): string {
  const { type, message } = errorColumns(row);
  return `lower(concat_ws(E'\\n', ${type}, ${message}, ${row}.correlation_id, ${row}.subject_type, ${row}.subject_id,
    array_to_string(${row}.tags, E'\\n')))`;
}

/** Expressions on a job's row. */
export function errorColumns(row: string): { readonly type: string; readonly message: string } {
  return {
    type: `${row}.last_error ->> 'type'`,
    message: `left(${row}.last_error ->> 'message', ${SEARCHED_MESSAGE_CHARACTERS})`,
  };
}

/** The same text of a job that is available. */
export function searchTextOf({ error, correlationId, subject, tags }: SearchedJob): string {
  const parts = [error?.type, error?.message, correlationId, subject?.type, subject?.id, ...(tags ?? [])];
  return parts
    .filter((part) => part != null)
    .join('\n')
    .toLowerCase();
}
