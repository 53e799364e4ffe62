import { DomainError } from '../core/errors.ts';
import { textProblem } from '../core/text-problem.ts';

export const MAX_QUERY_LENGTH = 200;
/** Each part costs a look into the vocabulary. */
export const MAX_QUERY_PARTS = 16;

/** One condition of a query; all of them must hold. */
export interface SearchQueryPart {
  /**
   * `word`: any of the words that are like it; one written with marks inside (`example.com`) is all of its
   * words. `phrase`: these words in this order, as they are spelt. `entity`: `@name` or `#tag`.
   */
  readonly kind: 'word' | 'phrase' | 'entity';
  readonly text: string;
  /** It may go on. */
  readonly prefix?: true;
  /** It may go on because nobody said that it has ended: the last word while it is being typed. */
  readonly isTyping?: true;
  /** It must not be there. */
  readonly isExcluded?: true;
}

const OPENING = '"“„«»”';
const CLOSING = /["“”»«]/;

/**
 * Reads what somebody typed into a search box: `word`, `"a phrase"`, `begin*`, `-without`, `@name`, `#tag`.
 * Takes everything as it is meant: a quote that is still open closes at the end, and marks that say nothing
 * are skipped.
 * @throws DomainError `InvalidArgument` naming `query` when it is too long or not text
 */
export function parseSearchQuery(query: string): SearchQueryPart[] {
  const problem = textProblem(query, MAX_QUERY_LENGTH);
  if (problem !== null) throw invalid(problem.problem, problem.allowed);
  const parts: SearchQueryPart[] = [];
  for (let at = 0; at < query.length; ) {
    const rest = query.slice(at);
    const space = /^\s+/.exec(rest)?.[0].length ?? 0;
    if (space > 0) {
      at += space;
      continue;
    }
    const isExcluded = /^-[^\s-]/.test(rest);
    const body = isExcluded ? rest.slice(1) : rest;
    const [length, part] = OPENING.includes(body.charAt(0)) ? phraseAt(body) : wordAt(body);
    at += length + (isExcluded ? 1 : 0);
    if (part === null) continue;
    const isLast = at >= query.length && part.kind !== 'phrase' && part.prefix !== true && !isExcluded;
    parts.push({
      ...part,
      ...(isExcluded && { isExcluded }),
      ...(isLast && { prefix: true, isTyping: true }),
    });
  }
  if (parts.length > MAX_QUERY_PARTS)
    throw invalid(`has ${parts.length} parts`, `at most ${MAX_QUERY_PARTS} words and phrases`);
  return parts;
}

type Found = readonly [length: number, part: SearchQueryPart | null];

function phraseAt(body: string): Found {
  const inner = body.slice(1);
  const end = inner.search(CLOSING);
  const text = end < 0 ? inner : inner.slice(0, end);
  return [text.length + (end < 0 ? 1 : 2), text.trim() === '' ? null : { kind: 'phrase', text }];
}

function wordAt(body: string): Found {
  // A quote in the middle begins the next part: `title:"a b"`.
  const whole = /^[^\s"“”„«»]+/.exec(body)?.[0] ?? body.charAt(0);
  const text = whole.replace(/\*+$/, '');
  if (!/[^\p{P}\s]/u.test(text)) return [whole.length, text === '' ? null : { kind: 'word', text }];
  const kind = /^[@#][\p{L}\p{N}_]/u.test(text) ? 'entity' : 'word';
  return [whole.length, { kind, text, ...(text !== whole && { prefix: true }) }];
}

function invalid(problem: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `query ${problem}; allowed: ${allowed}.`, {
    field: 'query',
    allowed,
  });
}
