import { type ExecutionResult, GraphQLError } from 'graphql';
import { DomainError } from '../core/errors.ts';
import type { Identity } from '../identity/identity.ts';
import type { WatchedIdentity } from '../identity/identity-watch.ts';
import type { Logger } from '../telemetry/log.ts';
import type { GraphqlDeps } from './context.ts';
import { maskError } from './mask-error.ts';

type Execute = (event: unknown, identity: Identity) => Promise<ExecutionResult>;

/**
 * The results of a subscription. It ends when its source does, when its client leaves, and when the subscriber's credential
 * ends or its source fails: then with one last result that says why, and nothing after it. It never rejects, which would
 * close its client's whole socket. `return()` frees the source at once.
 */
export class EventStream implements AsyncIterableIterator<ExecutionResult, undefined> {
  readonly #source: AsyncIterator<unknown>;
  readonly #execute: Execute;
  readonly #log: Logger;
  readonly #watch: WatchedIdentity;
  readonly #credentialEnded = Promise.withResolvers<'ended'>();
  #why: DomainError | undefined;
  #isOver = false;

  constructor(source: AsyncIterator<unknown>, identity: Identity, deps: GraphqlDeps, execute: Execute) {
    this.#source = source;
    this.#execute = execute;
    this.#log = deps.log;
    this.#watch = deps.identityWatch.watch(identity, (why) => {
      deps.metrics.expiredClosed();
      this.#why = why;
      this.#credentialEnded.resolve('ended');
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      return await this.#next();
    } catch (error) {
      if (this.#isOver) return this.return();
      return this.#last({ data: null, errors: [maskError(error, this.#log)] });
    }
  }

  async #next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    const taken = this.#source.next();
    // Its failure is met below, or does not matter any more.
    taken.catch(() => undefined);
    const first = await Promise.race([this.#credentialEnded.promise, taken]);
    const result = first === 'ended' || first.done === true ? null : await this.#run(first.value);
    // Checked after executing: what was read as somebody who is nobody by now does not go out.
    if (this.#why !== undefined && !this.#isOver) return this.#last(endedResult(this.#why));
    if (this.#isOver || result === null) return this.return();
    return isForbidden(result) ? this.#last(result) : { done: false, value: result };
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isOver = true;
    this.#watch.unwatch();
    this.#credentialEnded.resolve('ended');
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  #run(event: unknown): Promise<ExecutionResult> {
    return this.#execute(event, this.#watch.current());
  }

  async #last(result: ExecutionResult): Promise<IteratorYieldResult<ExecutionResult>> {
    await this.return();
    return { done: false, value: result };
  }
}

/** True when a result says that the subscriber's role no longer reaches: the stream has nothing left to send. */
function isForbidden(result: ExecutionResult): boolean {
  return (result.errors ?? []).some(
    ({ originalError, path }) =>
      path?.length === 1 && originalError instanceof DomainError && originalError.code === 'Forbidden',
  );
}

function endedResult(why: DomainError): ExecutionResult {
  return { data: null, errors: [new GraphQLError(why.message, { originalError: why })] };
}
