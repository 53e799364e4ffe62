import { setTimeout as sleep } from 'node:timers/promises';
import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { DomainError } from '../../core/errors.ts';
import { backoffMs } from '../../db/backoff.ts';
import type { LiveSource } from '../../events/live-source.ts';
import type { Frame } from '../../fanout/frame.ts';
import type { GraphqlContext, GraphqlDeps, RequestContext } from '../context.ts';
import { maskError } from '../mask-error.ts';
import { OperationReads } from '../operation-reads.ts';
import type { OpenTopic } from './topic.ts';

/** What a group executes at each event; the same for all of its subscribers. */
export type AskedQuestion = Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>;

/**
 * Executes the selection set for a batch of events, all in one snapshot that is taken after they were, and once for everybody
 * with the same rights as `request`'s. Waits out an outage of the database: what went out with an error in its place, and a
 * cursor, would be lost to a client that goes on from there.
 */
export function rendererFor<Event, Source extends LiveSource<Event>>(
  question: AskedQuestion,
  deps: GraphqlDeps,
  request: Pick<RequestContext, 'identity' | 'requestId'>,
  topic: OpenTopic<Event, Source>,
): (events: readonly Event[]) => Promise<readonly Frame[]> {
  const { actor } = request.identity;
  const renderOnce = async (events: readonly Event[]): Promise<readonly Frame[]> => {
    const context = { ...request, deps, actor, operation: new OperationReads(deps.reads, actor) };
    try {
      const frames = await Promise.all(events.map((event) => renderOne(event, question, context, topic)));
      deps.metrics.executed();
      const end = frames.findIndex(({ isLast }) => isLast);
      return end === -1 ? frames : frames.slice(0, end + 1);
    } finally {
      await context.operation.close();
    }
  };
  return async (events) => {
    for (let failures = 1; ; failures++) {
      try {
        return await renderOnce(events);
      } catch (error) {
        if (!(error instanceof DatabaseAway)) throw error;
        await sleep(backoffMs(failures), undefined, { ref: false });
      }
    }
  };
}

/** Nothing is wrong with what was to be executed. */
class DatabaseAway extends Error {}

async function renderOne<Event, Source extends LiveSource<Event>>(
  event: Event,
  question: AskedQuestion,
  context: GraphqlContext,
  { present, cursorOf, isKept }: OpenTopic<Event, Source>,
): Promise<Frame> {
  const presented = present(event);
  const place = { cursor: cursorOf(event), isKept: isKept(event) };
  if (presented === null) return { ...place, text: null, isLast: false };
  const { log } = context.deps;
  let result: ExecutionResult;
  try {
    result = await execute({ ...question, rootValue: presented.value, contextValue: context });
  } catch (error) {
    result = { data: null, errors: [maskError(error, log)] };
  }
  const isLast = presented.isLast === true || isForbidden(result);
  return { ...place, text: textOf(result, context), isLast };
}

function textOf({ data, errors }: ExecutionResult, { deps: { log } }: GraphqlContext): string {
  if (errors === undefined) return JSON.stringify({ data });
  const masked = errors.map((error) => maskError(error, log));
  if (masked.some(({ extensions }) => extensions['code'] === 'UNAVAILABLE')) throw new DatabaseAway();
  return JSON.stringify({ data, errors: masked });
}

/** True when a result says that the subscribers' role does not reach: the stream has nothing left to send. */
export function isForbidden(result: ExecutionResult): boolean {
  return (result.errors ?? []).some(
    ({ originalError, path }) =>
      path?.length === 1 && originalError instanceof DomainError && originalError.code === 'Forbidden',
  );
}
