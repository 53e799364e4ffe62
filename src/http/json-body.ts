import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LARGE_MESSAGE_BYTES } from '../access/byte-cost.ts';
import { DomainError } from '../core/errors.ts';
import { EXACT_NUMBERS, findInexactNumber } from '../core/exact-numbers.ts';
import type { PacedTurns } from '../core/paced-turns.ts';
import { callerOf } from './callers.ts';

/** Reads bodies of JSON: large ones in turns, and none with numbers that would become others on the way. */
export function readJsonBodies(app: FastifyInstance, turns: PacedTurns): void {
  // As plain JSON has them, and as a socket's messages are read: what such keys may mean is for each
  // payload's check to say.
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  const read = (request: FastifyRequest, text: string): unknown => {
    let result: { readonly error: Error | null; readonly value: unknown } = { error: null, value: undefined };
    // It calls back at once, whatever its type says.
    void parse(request, text, (error, value) => {
      result = { error, value };
    });
    if (result.error !== null) throw result.error;
    checkNumbers(text);
    return result.value;
  };
  app.removeContentTypeParser('application/json');
  const inTurn = async (request: FastifyRequest, text: string): Promise<unknown> => {
    if (text.length <= LARGE_MESSAGE_BYTES) return read(request, text);
    const owner = callerOf(request)?.actor.tenantId ?? '';
    return turns.run(owner, () => read(request, text));
  };
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, inTurn);
}

/** @throws DomainError `InvalidArgument` naming the first number that would not stay what it is */
function checkNumbers(json: string): void {
  const inexact = findInexactNumber(json);
  if (inexact === null) return;
  const field = inexact.path === '' ? 'body' : inexact.path;
  throw new DomainError('InvalidArgument', `${field} is ${inexact.text}; allowed: ${EXACT_NUMBERS}.`, {
    field,
    allowed: EXACT_NUMBERS,
  });
}
