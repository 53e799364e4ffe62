import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { LARGE_MESSAGE_BYTES } from '../access/byte-cost.ts';
import { DomainError } from '../core/errors.ts';
import { EXACT_NUMBERS, findInexactNumber } from '../core/exact-numbers.ts';
import type { PacedTurns } from '../core/paced-turns.ts';
import { parseJson } from '../core/parse-json.ts';
import { callerOf } from './callers.ts';

/** Reads bodies of JSON: large ones in turns, and none with numbers that would become others on the way. */
export function readJsonBodies(app: FastifyInstance, turns: PacedTurns): void {
  app.removeContentTypeParser('application/json');
  const inTurn = async (request: FastifyRequest, text: string): Promise<unknown> => {
    if (text.length <= LARGE_MESSAGE_BYTES) return bodyOf(text);
    const owner = callerOf(request)?.actor.tenantId ?? '';
    return turns.run(owner, () => bodyOf(text));
  };
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, inTurn);
}

/**
 * With keys as plain JSON has them, as a socket's messages are read: what `__proto__` may mean is for each
 * payload's check to say.
 * @throws FastifyError 400 for what is not JSON; DomainError `InvalidArgument`
 */
function bodyOf(text: string): unknown {
  if (text.length === 0) throw new errorCodes.FST_ERR_CTP_EMPTY_JSON_BODY();
  const value = jsonOf(text);
  checkNumbers(text);
  return value;
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY();
  }
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
