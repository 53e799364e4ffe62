import { setImmediate as afterOthers } from 'node:timers/promises';
import DataLoader from 'dataloader';
import type { GraphQLError } from 'graphql';
import { parseJson } from '../core/parse-json.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import { jsonOfJobs } from '../db/sql/read/json-of-jobs.ts';
import { limitError } from './limits/limit-error.ts';

/**
 * JSON of jobs in one answer. Reading it, and writing it into the answer, keeps the event loop for some 20 ms
 * a MiB.
 */
export const MAX_ANSWER_JSON_BYTES = 4 * 1024 * 1024;
/** Read between two turns of the event loop. */
const PIECE_BYTES = 64 * 1024;

/** How much JSON the answer of one operation has so far. */
export class AnswerBytes {
  readonly #charge: ((bytes: number) => void) | null;
  #taken = 0;

  /**
   * @param charge called with what is about to come; null for events, each of which is an answer of its own:
   *   they have no bound together
   */
  constructor(charge: ((bytes: number) => void) | null) {
    this.#charge = charge;
  }

  get left(): number {
    return this.#charge === null ? Number.MAX_SAFE_INTEGER : MAX_ANSWER_JSON_BYTES - this.#taken;
  }

  take(bytes: number): void {
    this.#taken += bytes;
    this.#charge?.(bytes);
  }
}

interface JsonRow {
  readonly id: string;
  /** Bytes of all rows together. */
  readonly totalBytes: number;
  readonly json: string | null;
}

/**
 * Payloads or results of a tenant's jobs by job id; null for none. Apart from the jobs, since one may have
 * more bytes than a page of jobs has otherwise, and most pages show neither. What is too much is an error of
 * each, `ANSWER_TOO_LARGE`; one alone is always read.
 */
export function jsonLoader(
  reads: ReadTransaction,
  tenantId: string,
  column: 'payload' | 'result',
  answer: AnswerBytes,
): DataLoader<string, unknown> {
  return new DataLoader(async (ids) => {
    const most = (): number => (ids.length === 1 ? Number.MAX_SAFE_INTEGER : answer.left);
    const rows = await reads.query<JsonRow>(jsonOfJobs, [tenantId, ids, column, most()]);
    const bytes = rows[0]?.totalBytes ?? 0;
    // Asked again: the other column may have come meanwhile.
    if (bytes > most()) {
      const error = tooLarge(column, MAX_ANSWER_JSON_BYTES - answer.left + bytes);
      return ids.map(() => error);
    }
    answer.take(bytes);
    const values = new Map<string, unknown>();
    let sinceRest = 0;
    for (const { id, json } of rows) {
      if (json === null) continue;
      values.set(id, parseJson(json));
      sinceRest += json.length;
      if (sinceRest < PIECE_BYTES) continue;
      sinceRest = 0;
      await afterOthers();
    }
    return ids.map((id) => values.get(id) ?? null);
  });
}

function tooLarge(column: string, actual: number): GraphQLError {
  return limitError(
    'ANSWER_TOO_LARGE',
    `Payloads and results of this answer would have ${actual} bytes of JSON with each ${column}; allowed: ${MAX_ANSWER_JSON_BYTES}. Ask for a smaller page, or for fewer of them.`,
    { limit: MAX_ANSWER_JSON_BYTES, actual },
  );
}
