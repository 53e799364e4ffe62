import { createHash, randomUUID } from 'node:crypto';
import { DomainError } from '../core/errors.ts';
import { withCompanion } from '../db/companion.ts';
import type { Transaction } from '../db/database.ts';
import { findIdempotencyKey, type IdempotencyKeyRow } from '../db/sql/idempotency/find-idempotency-key.ts';
import { releaseIdempotencyKey } from '../db/sql/idempotency/release-idempotency-key.ts';
import { settleIdempotencyKey } from '../db/sql/idempotency/settle-idempotency-key.ts';
import { takeIdempotencyKey } from '../db/sql/idempotency/take-idempotency-key.ts';
import type { RestContext } from './context.ts';
import { RestReply, type RestRoute } from './route.ts';

/** So long a request may take before another of the same key may take over. */
const TAKEN_SECONDS = 120;
const KEPT_SECONDS = 86_400;
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;
const ALLOWED = '1 to 255 printable ASCII characters';

/** The header of an answer that is a repetition. */
const REPLAYED_HEADER = 'idempotency-replayed';

/**
 * The key of a request; null without one.
 * @throws DomainError `InvalidArgument`
 */
export function idempotencyKeyOf({ headers }: Pick<RestContext, 'headers'>): string | null {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  if (typeof given === 'string' && KEY.test(given)) return given;
  const shown = JSON.stringify(String(given).slice(0, 80));
  throw new DomainError('InvalidArgument', `Idempotency-Key is ${shown}; allowed: ${ALLOWED}.`, {
    field: 'Idempotency-Key',
    allowed: ALLOWED,
  });
}

/**
 * Carries a request out once, whatever comes of connections and processes: that it is done is written in the transaction that did it. The same
 * request with the same key gets the same answer for a day. A refused one has written nothing, so its key is free again.
 * @param run carries it out
 * @throws DomainError `IdempotencyKeyReused` `IdempotencyKeyInUse`, and what `run` throws
 */
export async function runOnce(
  context: RestContext,
  route: RestRoute,
  key: string,
  body: unknown,
  run: () => Promise<RestReply<unknown>>,
): Promise<RestReply<unknown>> {
  const { deps, caller, url } = context;
  const { db } = deps.jobs;
  const row = [caller.tenantId, caller.name, key];
  const owner = randomUUID();
  const fingerprint = fingerprintOf(route, url, body);
  const taken = await db.asWorker(takeIdempotencyKey, [
    ...row,
    fingerprint,
    owner,
    TAKEN_SECONDS,
    KEPT_SECONDS,
  ]);
  if (taken.rowCount === 0) {
    const { rows } = await db.asWorker<IdempotencyKeyRow>(findIdempotencyKey, row);
    return answerOf(key, fingerprint, rows[0]);
  }
  const usual = route.status ?? (route.answer === undefined ? 204 : 200);
  const settle = async (tx: Pick<Transaction, 'query'>, reply: RestReply<unknown> | null): Promise<void> => {
    const { rowCount } = await tx.query(settleIdempotencyKey, [
      ...row,
      owner,
      reply === null ? null : (reply.status ?? usual),
      reply === null ? null : JSON.stringify(reply.headers),
      reply?.body === undefined ? null : JSON.stringify(reply.body),
    ]);
    if (rowCount === 0) throw inUse(key);
  };
  let isAnswered = false;
  const companion = {
    write: async (tx: Transaction, written: unknown): Promise<boolean> => {
      if (route.answerWithin === undefined) {
        await settle(tx, null);
        return true;
      }
      const reply = await route.answerWithin(context, tx, written);
      if (reply === null) return false;
      await settle(tx, reply);
      isAnswered = true;
      return true;
    },
  };
  try {
    const reply = await withCompanion(companion, run);
    if (!isAnswered) await settle({ query: (stmt, values) => db.asWorker(stmt, values) }, reply);
    return reply;
  } catch (error) {
    // What a use-case refuses it has not written. Of anything else nobody knows: the row says whether it was.
    if (error instanceof DomainError) await db.asWorker(releaseIdempotencyKey, [...row, owner]);
    throw error;
  }
}

function answerOf(key: string, fingerprint: string, row: IdempotencyKeyRow | undefined): RestReply<unknown> {
  // It was given back meanwhile.
  if (row === undefined) throw inUse(key);
  if (row.fingerprint !== fingerprint)
    throw new DomainError(
      'IdempotencyKeyReused',
      `Idempotency-Key ${JSON.stringify(key)} was used for another request; allowed: a key of its own.`,
      { field: 'Idempotency-Key', allowed: 'a key that was used for no other request' },
    );
  if (row.status === null) throw row.is_done ? answerLost(key) : inUse(key);
  return new RestReply(row.body === null ? undefined : (JSON.parse(row.body) as unknown), {
    status: row.status,
    headers: { ...row.headers, [REPLAYED_HEADER]: 'true' },
  });
}

function inUse(key: string): DomainError {
  return new DomainError(
    'IdempotencyKeyInUse',
    `A request with Idempotency-Key ${JSON.stringify(key)} is being carried out; try again.`,
    { field: 'Idempotency-Key', allowed: 'the same request, once the first has ended', retryAfterMs: 1_000 },
  );
}

function answerLost(key: string): DomainError {
  return new DomainError(
    'IdempotencyKeyInUse',
    `The request with Idempotency-Key ${JSON.stringify(key)} was carried out, but its answer was not kept: read what it changed.`,
    { field: 'Idempotency-Key', allowed: 'another key, after a look at what was changed' },
  );
}

function fingerprintOf({ method }: RestRoute, url: string, body: unknown): string {
  return createHash('sha256')
    .update(`${method} ${url}\n${JSON.stringify(body) ?? ''}`)
    .digest('base64url');
}
