import { createHash, randomUUID } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { DomainError } from '../core/errors.ts';
import { parseJson } from '../core/parse-json.ts';
import type { Transaction } from '../db/database.ts';
import { withOutcomeRecorder } from '../db/outcome-record.ts';
import { findIdempotencyKey, type IdempotencyKeyRow } from '../db/sql/idempotency/find-idempotency-key.ts';
import { recordIdempotentOutcome } from '../db/sql/idempotency/record-idempotent-outcome.ts';
import { releaseIdempotencyKey } from '../db/sql/idempotency/release-idempotency-key.ts';
import { settleIdempotencyKey } from '../db/sql/idempotency/settle-idempotency-key.ts';
import { takeIdempotencyKey } from '../db/sql/idempotency/take-idempotency-key.ts';
import { openText, sealText } from '../payloads/sealed-text.ts';
import type { RestContext } from './context.ts';
import { answerOf, type RestInput, RestReply, type RestRoute, usualStatus } from './route.ts';

/**
 * So long a request may take before another of the same key may take over, where it has written nothing by
 * then.
 */
const TAKEN_SECONDS = 120;
/** The same where carrying it out twice does no harm. */
const REPEATABLE_TAKEN_SECONDS = 5;
const KEPT_SECONDS = 86_400;
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;
const ALLOWED = '1 to 255 printable ASCII characters';

/** The header of an answer that is a repetition. */
const REPLAYED_HEADER = 'idempotency-replayed';

type Input = RestInput<unknown, unknown, unknown>;

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
 * Carries a request out once, whatever comes of connections and processes: what came of it is written in the
 * transaction that carried it out, and the answer is made of that again where the first one got lost. The
 * same request with the same key gets the same answer for a day. A refused one has written nothing, so its
 * key is free again.
 * @throws DomainError `IdempotencyKeyReused` `IdempotencyKeyInUse`, and what the route throws
 */
export async function runOnce(
  context: RestContext,
  route: RestRoute,
  key: string,
  input: Input,
): Promise<RestReply<unknown>> {
  return new KeyedRequest(context, route, key, input).run();
}

class KeyedRequest {
  readonly #context: RestContext;
  readonly #route: RestRoute;
  readonly #key: string;
  readonly #input: Input;
  readonly #row: readonly [tenantId: string, credential: string, key: string];
  readonly #owner = randomUUID();

  constructor(context: RestContext, route: RestRoute, key: string, input: Input) {
    this.#context = context;
    this.#route = route;
    this.#key = key;
    this.#input = input;
    this.#row = [context.caller.tenantId, context.caller.name, key];
  }

  get #db() {
    return this.#context.deps.jobs.db;
  }

  async run(): Promise<RestReply<unknown>> {
    const isRepeatable = this.#route.action === undefined;
    const fingerprint = fingerprintOf(this.#route, this.#context.url, this.#input.body);
    const taken = await this.#db.asWorker(takeIdempotencyKey, [
      ...this.#row,
      fingerprint,
      this.#owner,
      isRepeatable ? REPEATABLE_TAKEN_SECONDS : TAKEN_SECONDS,
      KEPT_SECONDS,
    ]);
    if (taken.rowCount === 0) return this.#again(fingerprint);
    try {
      return isRepeatable
        ? await this.#settled(await answerOf(this.#route, this.#context, this.#input))
        : await this.#carriedOut();
    } catch (error) {
      // What a use-case refuses it has not written. Of anything else nobody knows: the row says whether it
      // was.
      if (error instanceof DomainError)
        await this.#db.asWorker(releaseIdempotencyKey, [...this.#row, this.#owner]);
      throw error;
    }
  }

  async #carriedOut(): Promise<RestReply<unknown>> {
    const { action } = this.#route;
    if (action === undefined) throw new Error(`${this.#route.path} is no action`);
    let answered: RestReply<unknown> | undefined;
    const outcome = await withOutcomeRecorder(
      async (tx, recorded, extent) => {
        await this.#record(tx, recorded, extent === 'part');
        if (action.answerWithin === undefined) return;
        answered = await action.answerWithin(this.#context, tx, recorded);
        await this.#settle((stmt, values) => tx.query(stmt, values), answered);
      },
      () => action.act(this.#context, this.#input),
    );
    if (answered !== undefined) return answered;
    await this.#context.operation.renew();
    return this.#settled(await action.show(this.#context, outcome, this.#input));
  }

  /** The answer that the first one got; or one of what came of it, where its own got lost on the way. */
  async #again(fingerprint: string): Promise<RestReply<unknown>> {
    const row = await this.#found();
    // It was returned meanwhile.
    if (row === undefined) throw inUse(this.#key);
    if (row.fingerprint !== fingerprint) throw reused(this.#key);
    const { action } = this.#route;
    if (row.status !== null) return this.#replayed(row);
    if (!row.is_done || row.outcome === null || action === undefined) throw inUse(this.#key);
    const recorded = deserialize(Buffer.from(this.#open(row.outcome), 'base64'));
    const outcome = action.recall === undefined ? recorded : await action.recall(this.#context, recorded);
    const reply = await action.show(this.#context, outcome, this.#input);
    return this.#asReplayed(await this.#settled(reply));
  }

  /** Keeps the answer; another one counts where it was faster. */
  async #settled(reply: RestReply<unknown>): Promise<RestReply<unknown>> {
    if (await this.#settle((stmt, values) => this.#db.asWorker(stmt, values), reply)) return reply;
    const row = await this.#found();
    return row === undefined || row.status === null ? reply : this.#replayed(row);
  }

  async #settle(query: Transaction['query'], reply: RestReply<unknown>): Promise<boolean> {
    const { rowCount } = await query(settleIdempotencyKey, [
      ...this.#row,
      reply.status ?? usualStatus(this.#route),
      JSON.stringify(reply.headers),
      reply.body === undefined ? null : JSON.stringify(this.#seal(JSON.stringify(reply.body))),
    ]);
    return rowCount === 1;
  }

  async #record(tx: Transaction, outcome: unknown, isPart: boolean): Promise<void> {
    const sealed = this.#seal(serialize(outcome).toString('base64'));
    const values = [...this.#row, this.#owner, JSON.stringify(sealed), isPart];
    const { rowCount } = await tx.query(recordIdempotentOutcome, values);
    if (rowCount === 0) throw inUse(this.#key);
  }

  async #found(): Promise<IdempotencyKeyRow | undefined> {
    return (await this.#db.asWorker<IdempotencyKeyRow>(findIdempotencyKey, this.#row)).rows[0];
  }

  #replayed({ status, headers, body }: IdempotencyKeyRow): RestReply<unknown> {
    const answer = body === null ? undefined : (parseJson(this.#open(parseJson(body))) as unknown);
    return this.#asReplayed(
      new RestReply(answer, { status: status ?? usualStatus(this.#route), headers: headers ?? {} }),
    );
  }

  #asReplayed({ body, status, headers }: RestReply<unknown>): RestReply<unknown> {
    return new RestReply(body, {
      status: status ?? usualStatus(this.#route),
      headers: { ...headers, [REPLAYED_HEADER]: 'true' },
    });
  }

  #seal(text: string): unknown {
    return sealText(this.#context.deps.jobs.secrets, this.#row[0], text);
  }

  #open(stored: unknown): string {
    return openText(this.#context.deps.jobs.secrets, this.#row[0], stored);
  }
}

function inUse(key: string): DomainError {
  return new DomainError(
    'IdempotencyKeyInUse',
    `A request with Idempotency-Key ${JSON.stringify(key)} is being carried out; try again.`,
    { field: 'Idempotency-Key', allowed: 'the same request, once the first has ended', retryAfterMs: 1_000 },
  );
}

function reused(key: string): DomainError {
  return new DomainError(
    'IdempotencyKeyReused',
    `Idempotency-Key ${JSON.stringify(key)} was used for another request; allowed: a key of its own.`,
    { field: 'Idempotency-Key', allowed: 'a key that was used for no other request' },
  );
}

function fingerprintOf({ method }: RestRoute, url: string, body: unknown): string {
  return createHash('sha256')
    .update(`${method} ${url}\n${JSON.stringify(body) ?? ''}`)
    .digest('base64url');
}
