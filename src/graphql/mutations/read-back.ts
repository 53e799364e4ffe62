import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import { toError } from '../../core/errors.ts';
import { type GraphqlContext, loadersOf } from '../context.ts';
import type { Loaders } from '../loaders.ts';

/** After each of these a failed read is tried again, on a new snapshot. */
const PAUSES_MS = [50, 250, 1_000];

/**
 * Reads what a mutation has just written, for a nullable field of its payload. The write is committed: a read
 * that fails must not look as if it was not, or a caller that tries again does it twice. So it is tried again
 * here, and what it fails with in the end says that the write is done, beside a payload that is there.
 * @throws GraphQLError `RESULT_UNAVAILABLE`
 */
export async function readBack<Row>(
  context: GraphqlContext,
  read: (loaders: Loaders) => Promise<Row | null>,
  what: string,
): Promise<Row> {
  for (let tries = 0; ; tries++) {
    const { transaction } = context.operation;
    const reason = await read(loadersOf(context)).then(
      (row) => (row === null ? 'it is not there' : { row }),
      (error: unknown) => toError(error).message,
    );
    if (typeof reason === 'object') return reason.row;
    const pauseMs = PAUSES_MS[tries];
    if (pauseMs === undefined) {
      context.deps.log.warn({ reason, what }, 'graphql: what was written could not be read');
      throw new GraphQLError(
        `${what} was written, but could not be read for the answer. Read it again; do not repeat the mutation.`,
        { extensions: { code: 'RESULT_UNAVAILABLE' } },
      );
    }
    await context.operation.renewAfter(transaction);
    await sleep(pauseMs);
  }
}
