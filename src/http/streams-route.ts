import type { FastifyInstance } from 'fastify';
import { GraphQLError } from 'graphql';
import { maxMessageBytes } from '../graphql/limits/limits.ts';
import { GRAPHQL_PATH, type GraphqlEngine } from '../graphql/yoga.ts';
import type { Identity } from '../identity/identity.ts';
import type { HttpDeps } from './deps.ts';
import { identify, refuse } from './identify.ts';
import { mergeStreams } from './merged-streams.ts';
import { type OpenStreams, sendResponse } from './send-response.ts';

const STREAMS_PATH = `${GRAPHQL_PATH}/streams`;

/** As of one socket. */
const MAX_OPERATIONS = 1_000;
const ID = /^[\w.-]{1,64}$/;

interface StreamOperation {
  readonly id: string;
}

/**
 * Several operations over one event stream: a browser opens six connections to a host over HTTP/1.1, and a
 * page may watch more. The body is `{"operations": [{"id": …, "query": …, "variables": …}, …]}`. Each
 * operation is checked, limited and rated as one that comes alone.
 */
export function addStreamsRoute(
  app: FastifyInstance,
  deps: HttpDeps,
  engine: GraphqlEngine,
  streams: OpenStreams,
): void {
  app.route({
    method: 'POST',
    url: STREAMS_PATH,
    bodyLimit: maxMessageBytes(deps.config),
    // Without identity a request gets its answer before a byte of the body is read.
    onRequest: async (request, reply) => {
      await identify(deps, request, reply);
    },
    handler: async (request, reply) => {
      const operations = operationsIn(request.body);
      if (operations instanceof GraphQLError) return refuse(reply, 400, operations);
      // Asked again: the body may have taken longer than the token is good for.
      const identity = await identify(deps, request, reply);
      if (identity === null) return reply;
      const merged = mergeStreams(
        operations.map((operation) => ({
          id: operation.id,
          response: ask(engine, operation, identity, request.id),
        })),
      );
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
      return sendResponse(reply, new Response(merged, { headers }), streams);
    },
  });
}

async function ask(
  engine: GraphqlEngine,
  { id, ...operation }: StreamOperation,
  identity: Identity,
  requestId: string,
): Promise<Response> {
  return await engine.fetch(
    `http://localhost${GRAPHQL_PATH}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(operation),
    },
    { identity, requestId: `${requestId}:${id}` },
  );
}

function operationsIn(body: unknown): readonly StreamOperation[] | GraphQLError {
  const operations = (body as { operations?: unknown } | null)?.operations;
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS)
    return invalid('operations', `a list of 1 to ${MAX_OPERATIONS} operations`);
  const ids = new Set<unknown>();
  for (const [index, operation] of operations.entries()) {
    if (typeof operation !== 'object' || operation === null || Array.isArray(operation))
      return invalid(`operations[${index}]`, 'an object');
    const { id } = operation as { id?: unknown };
    if (typeof id !== 'string' || !ID.test(id) || ids.has(id))
      return invalid(
        `operations[${index}].id`,
        '1 to 64 letters, digits, dots, dashes or underscores, each once',
      );
    ids.add(id);
  }
  return operations;
}

function invalid(field: string, allowed: string): GraphQLError {
  return new GraphQLError(`${field} is wrong; allowed: ${allowed}`, {
    extensions: { code: 'INVALID_ARGUMENT', field, allowed },
  });
}
