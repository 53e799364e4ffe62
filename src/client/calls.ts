import { MillraceError, type PayloadProblem, toMillraceError } from './error.ts';
import { post } from './http.ts';
import type { Operation } from './operation.ts';
import type { ClientSettings } from './options.ts';
import {
  fromFailure,
  fromResponse,
  fromServerErrors,
  requestIdOf,
  type ServerError,
} from './server-errors.ts';
import type { Tokens } from './token.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Sends queries and mutations over HTTP. */
export class Calls {
  readonly #settings: ClientSettings;
  readonly #tokens: Tokens;

  constructor(settings: ClientSettings, tokens: Tokens) {
    this.#settings = settings;
    this.#tokens = tokens;
  }

  async run<Result, Variables extends object>(
    operation: Operation<Result, Variables>,
    variables: Variables,
    options: CallOptions = {},
  ): Promise<Result> {
    return (await this.send({ name: operation.name, text: operation.text, variables }, options)) as Result;
  }

  /**
   * A refused token is asked for again: nothing was done with it, and it may have ended on its way.
   * @returns the data
   * @throws MillraceError; the signal's reason when that was aborted
   */
  async send(
    request: { readonly name?: string; readonly text: string; readonly variables: object },
    options: CallOptions,
  ): Promise<unknown> {
    try {
      return await this.#once(request, options);
    } catch (error) {
      if (!(error instanceof MillraceError) || error.recovery !== 'renew' || this.#tokens.isFixed)
        throw error;
      return await this.#once(request, options);
    }
  }

  async #once(
    request: { readonly name?: string; readonly text: string; readonly variables: object },
    { signal }: CallOptions,
  ): Promise<unknown> {
    try {
      const { name, text, variables } = request;
      const body = { query: text, variables, ...(name !== undefined && { operationName: name }) };
      const response = await post(this.#settings, this.#tokens, body, {
        accept: 'application/graphql-response+json, application/json',
        signal,
      });
      if (!response.ok) throw await fromResponse(response);
      const answer = (await response.json()) as { data?: unknown; errors?: readonly ServerError[] };
      if (answer.errors !== undefined && answer.errors.length > 0)
        throw fromServerErrors(answer.errors, requestIdOf(response));
      return answer.data;
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      throw toMillraceError(error);
    }
  }
}

interface Failure {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
  readonly allowed: string | null;
  readonly problems?: readonly PayloadProblem[];
}

/** The payload of a mutation. @throws MillraceError for a typed failure */
export function payloadOf<Result extends { readonly __typename: string }>(
  result: Result,
): Exclude<Result, Failure> {
  if ('code' in result) throw fromFailure(result as unknown as Failure);
  return result as Exclude<Result, Failure>;
}

/**
 * What a query asked for. @throws MillraceError `RESULT_UNAVAILABLE` where it is null although nothing was
 * refused
 */
export function found<Value>(value: Value | null): Value {
  if (value !== null) return value;
  throw new MillraceError('RESULT_UNAVAILABLE', 'The server gave no answer');
}

/**
 * What a mutation wrote, which is null where it could not be read for the answer; errors beside it have been
 * thrown before.
 * @throws MillraceError `RESULT_UNAVAILABLE`
 */
export function present<Value>(value: Value | null): Value {
  if (value !== null) return value;
  throw new MillraceError('RESULT_UNAVAILABLE', 'It was written, but could not be read for the answer');
}
