import type { NewJob } from './new-jobs.ts';

/**
 * Rows of one INSERT: beyond a thousand a row gets no cheaper, and the locks of one statement are held no
 * longer than need be.
 */
const MAX_JOBS = 2_000;
/**
 * Their payloads as text: in one list, which takes up to six times as much as a jsonb (a list of one-digit
 * numbers), and at most 256 MiB of it.
 */
const MAX_PAYLOAD_CHARS = 16 * 1024 * 1024;

/** Jobs in order, cut into what goes into one statement each. */
export function statementParts(jobs: readonly NewJob[]): readonly (readonly NewJob[])[] {
  const parts: (readonly NewJob[])[] = [];
  let from = 0;
  let chars = 0;
  for (const [at, { payloadJson }] of jobs.entries()) {
    const isFull = at - from === MAX_JOBS || chars + payloadJson.length > MAX_PAYLOAD_CHARS;
    if (isFull && at > from) {
      parts.push(jobs.slice(from, at));
      from = at;
      chars = 0;
    }
    chars += payloadJson.length;
  }
  parts.push(from === 0 ? jobs : jobs.slice(from));
  return parts;
}
