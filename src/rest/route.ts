import type { Static, TSchema } from 'typebox';
import type { AccessNeed } from '../access/need.ts';
import type { DomainErrorCode } from '../core/errors.ts';
import type { Transaction } from '../db/database.ts';
import type { RestContext } from './context.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** A route's answer where it is not its usual one: another status, headers, a body that is no JSON. */
export class RestReply<Body> {
  readonly body: Body;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    body: Body,
    options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.body = body;
    this.status = options.status ?? null;
    this.headers = options.headers ?? {};
  }
}

/** What a route is called with, checked against its schemas. */
export interface RestInput<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** A call that the document shows and the tests run. Words in braces stand for what the tests make: `{job_id}`. */
export interface RestExample {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly answer: unknown;
}

type StaticOr<S, Default> = S extends TSchema ? Static<S> : Default;

export interface RouteDeclaration<
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  A extends TSchema | undefined,
> {
  readonly method: Method;
  /** Below `/api/v1`, as Fastify has it: `/jobs/:job_id`. */
  readonly path: string;
  /** `listJobs`: what a generated client calls it. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** What a caller needs; null: nobody is asked who they are. */
  readonly need: AccessNeed | null;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The body may be omitted, which is the same as `{}`. */
  readonly isBodyOptional?: boolean;
  /** 64 KiB by default; `largest`: as much as the installation takes at all. */
  readonly maxBodyBytes?: number | 'largest';
  /** The schema of the usual answer; absent: it has no body. */
  readonly answer?: A;
  /** Of the usual answer; 200, or 204 without a schema, by default. */
  readonly status?: number;
  /** Other answers that are no errors, of the same schema, with what they mean. */
  readonly otherStatuses?: Readonly<Record<number, string>>;
  /** Media types of answers beside JSON, by their names. */
  readonly otherTypes?: Readonly<Record<string, { readonly schema: TSchema; readonly description: string }>>;
  /** Headers of the answer beside those that all have, with what they say. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  readonly errors?: readonly DomainErrorCode[];
  /** An update: it checks `If-Match`. */
  readonly takesIfMatch?: boolean;
  readonly example: RestExample;
  /**
   * The answer to a request with an idempotency key, to be kept in the transaction that writes what was asked for.
   * @param written what the transaction's work gave; null is returned where that has written nothing
   */
  readonly answerWithin?: (
    context: RestContext,
    tx: Transaction,
    written: unknown,
  ) => Promise<RestReply<unknown> | null>;
  run(
    context: RestContext,
    input: RestInput<StaticOr<P, unknown>, StaticOr<Q, unknown>, StaticOr<B, unknown>>,
  ): Promise<StaticOr<A, undefined> | RestReply<unknown>>;
}

/** A declared route. What its schemas take is checked before `run` is called. */
export type RestRoute = Omit<
  RouteDeclaration<TSchema | undefined, TSchema | undefined, TSchema | undefined, TSchema | undefined>,
  'run'
> & {
  run(context: RestContext, input: RestInput<unknown, unknown, unknown>): Promise<unknown>;
};

/** Declares a route; its types come from its schemas. */
export function defineRoute<
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  A extends TSchema | undefined = undefined,
>(declaration: RouteDeclaration<P, Q, B, A>): RestRoute {
  return declaration as unknown as RestRoute;
}

/** What a domain adds to the REST API. */
export interface RestPart {
  readonly routes: readonly RestRoute[];
}
