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

/**
 * A call that the document shows and the tests run. Words in braces stand for what the tests make:
 * `{job_id}`.
 */
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
  /** The status of the usual answer; by default 200, or 204 without a schema. */
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
}

type Input<P, Q, B> = RestInput<StaticOr<P, unknown>, StaticOr<Q, unknown>, StaticOr<B, unknown>>;
type Answer<A> = StaticOr<A, undefined> | RestReply<unknown>;

/** A route that reads, or may be carried out twice without harm. */
interface PlainRun<P, Q, B, A> {
  run(context: RestContext, input: Input<P, Q, B>): Promise<Answer<A>>;
}

/** A route that changes something, in two steps: so that its answer can be made again when it got lost. */
interface ActionRun<P, Q, B, A, Outcome, Recorded> {
  /**
   * Carries the request out, by a use-case that records its outcome in its own transaction (see
   * `recordOutcome`).
   */
  act(context: RestContext, input: Input<P, Q, B>): Promise<Outcome>;
  /** The answer to what came of it, of what can be read by now. */
  show(context: RestContext, outcome: Outcome, input: Input<P, Q, B>): Promise<Answer<A>>;
  /** What came of it by what was recorded; by default that is the outcome itself. */
  recall?(context: RestContext, recorded: Recorded): Promise<Outcome>;
  /** The answer by what the transaction itself can read: it is kept there, and needs no statement more. */
  answerWithin?(context: RestContext, tx: Transaction, outcome: Outcome): Promise<RestReply<unknown>>;
}

/** A declared route. What its schemas take is checked before it is run. */
export type RestRoute = RouteDeclaration<
  TSchema | undefined,
  TSchema | undefined,
  TSchema | undefined,
  TSchema | undefined
> & {
  run(context: RestContext, input: RestInput<unknown, unknown, unknown>): Promise<unknown>;
  readonly action?: RestAction;
};

/** The two steps of a route that changes something. */
export interface RestAction {
  act(context: RestContext, input: RestInput<unknown, unknown, unknown>): Promise<unknown>;
  show(
    context: RestContext,
    outcome: unknown,
    input: RestInput<unknown, unknown, unknown>,
  ): Promise<RestReply<unknown>>;
  readonly recall?: (context: RestContext, recorded: unknown) => Promise<unknown>;
  readonly answerWithin?: (
    context: RestContext,
    tx: Transaction,
    outcome: unknown,
  ) => Promise<RestReply<unknown>>;
}

/** Declares a route; its types come from its schemas. */
export function defineRoute<
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  A extends TSchema | undefined = undefined,
>(declaration: RouteDeclaration<P, Q, B, A> & PlainRun<P, Q, B, A>): RestRoute {
  return declaration as unknown as RestRoute;
}

/** Declares a route that changes something: a POST that is carried out once under an idempotency key. */
export function defineAction<
  Outcome,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  A extends TSchema | undefined = undefined,
  Recorded = Outcome,
>(declaration: RouteDeclaration<P, Q, B, A> & ActionRun<P, Q, B, A, Outcome, Recorded>): RestRoute {
  const { act, show, recall, answerWithin, ...route } = declaration as unknown as RestRoute & RestAction;
  const action: RestAction = {
    act,
    show: async (context, outcome, input) => replyOf(await show(context, outcome, input)),
    ...(recall !== undefined && { recall }),
    ...(answerWithin !== undefined && { answerWithin }),
  };
  return {
    ...route,
    action,
    run: async (context, input) => {
      const outcome = await act(context, input);
      await context.operation.renew();
      return action.show(context, outcome, input);
    },
  };
}

/** The route's answer to a request. @throws what its use-case refuses it for */
export async function answerOf(
  route: RestRoute,
  context: RestContext,
  input: RestInput<unknown, unknown, unknown>,
): Promise<RestReply<unknown>> {
  return replyOf(await route.run(context, input));
}

function replyOf(answer: unknown): RestReply<unknown> {
  return answer instanceof RestReply ? answer : new RestReply(answer);
}

/** The status of an answer that says no other. */
export function usualStatus({ status, answer }: Pick<RestRoute, 'status' | 'answer'>): number {
  return status ?? (answer === undefined ? 204 : 200);
}

/** What a domain adds to the REST API. */
export interface RestPart {
  readonly routes: readonly RestRoute[];
}
