import { type ExecutionArgs, type ExecutionResult, execute, GraphQLError } from 'graphql';
import { DomainError, toError } from '../../core/errors.ts';
import { classifyError, tookTooLong } from '../../db/retryable.ts';
import type { LiveSource } from '../../events/live-source.ts';
import { retryDuringOutage } from '../../events/retry-during-outage.ts';
import type { Frame } from '../../fanout/frame.ts';
import type { Render } from '../../fanout/stream.ts';
import type { GraphqlContext, GraphqlDeps, RequestContext } from '../context.ts';
import { causeOf, maskError } from '../mask-error.ts';
import { contextFor } from '../operation-context.ts';
import type { OpenTopic } from './topic.ts';

/** What a group executes at each event; the same for all of its subscribers. */
export type AskedQuestion = Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>;

/** Characters of results that are rendered before they go out. Nearly all batches have far less. */
const MAX_BATCH_CHARS = 4 * 1024 * 1024;
/**
 * Events that are executed side by side: the most that may go beyond that, before anybody knows how large
 * they are.
 */
const MAX_SIDE_BY_SIDE = 50;

/**
 * Executes the selection set for a batch of events, all in one snapshot that is taken after they were, and
 * once for everybody with the same rights as `request`'s. Of events with large results it gives the first
 * ones only. Waits out an outage of the database: what went out with an error in its place, and a cursor,
 * would be lost to a client that goes on from there.
 */
export function rendererFor<Event, Source extends LiveSource<Event>>(
  question: AskedQuestion,
  deps: GraphqlDeps,
  request: RequestContext,
  topic: OpenTopic<Event, Source>,
): Render<Event> {
  const renderOnce = async (events: readonly Event[]): Promise<readonly Frame[]> => {
    const context = contextFor(deps, request);
    try {
      const frames = await renderInSlices(events, (event) => renderOne(event, question, context, topic));
      deps.metrics.executed();
      const end = frames.findIndex(({ isLast }) => isLast);
      return end === -1 ? frames : frames.slice(0, end + 1);
    } finally {
      await context.operation.close();
    }
  };
  return async (events, isOver) =>
    (await retryDuringOutage(() => renderOnce(events), deps.outages, isOver)) ?? [];
}

/** Until all are rendered, or N characters. */
async function renderInSlices<Event>(
  events: readonly Event[],
  renderOne: (event: Event) => Promise<Frame>,
): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  let chars = 0;
  while (frames.length < events.length && chars < MAX_BATCH_CHARS) {
    // As many as there is room for, going by those before.
    const room = frames.length === 0 ? MAX_SIDE_BY_SIDE : ((MAX_BATCH_CHARS - chars) / chars) * frames.length;
    const count = Math.ceil(Math.min(MAX_SIDE_BY_SIDE, room));
    const slice = await Promise.all(events.slice(frames.length, frames.length + count).map(renderOne));
    for (const frame of slice) chars += frame.text?.length ?? 0;
    frames.push(...slice);
  }
  return frames;
}

async function renderOne<Event, Source extends LiveSource<Event>>(
  event: Event,
  question: AskedQuestion,
  context: GraphqlContext,
  { present, cursorOf, isKept }: OpenTopic<Event, Source>,
): Promise<Frame> {
  const presented = present(event);
  const place = { cursor: cursorOf(event), isKept: isKept(event) };
  if (presented === null) return { ...place, text: null, isLast: false };
  let result: ExecutionResult;
  try {
    result = await execute({ ...question, rootValue: presented.value, contextValue: context });
  } catch (thrown) {
    const originalError = toError(thrown);
    result = { data: null, errors: [new GraphQLError(originalError.message, { originalError })] };
  }
  const isGone = presented.isLastIfNull === true && isNull(result);
  const isLast = presented.isLast === true || isGone || isForbidden(result);
  return { ...place, text: textOf(result, context), isLast };
}

/** @throws what the database says when it is away: nothing is wrong with what was to be executed */
function textOf({ data, errors }: ExecutionResult, { deps: { log } }: GraphqlContext): string {
  if (errors === undefined) return JSON.stringify({ data });
  const away = errors
    .map(causeOf)
    .find((cause) => classifyError(cause) === 'reconnect' && !tookTooLong(cause));
  if (away !== undefined) throw away;
  return JSON.stringify({ data, errors: errors.map((error) => maskError(error, log)) });
}

/** True when the field is null, and not for an error. */
function isNull({ data, errors }: ExecutionResult): boolean {
  return data != null && errors === undefined && Object.values(data).every((value) => value === null);
}

/** True when a result says that the subscribers' role does not reach: the stream has nothing left to send. */
function isForbidden(result: ExecutionResult): boolean {
  return (result.errors ?? []).some(
    ({ originalError, path }) =>
      path?.length === 1 && originalError instanceof DomainError && originalError.code === 'Forbidden',
  );
}
