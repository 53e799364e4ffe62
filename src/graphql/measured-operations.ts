import { type ExecutionArgs, getOperationAST, type OperationDefinitionNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { OperationLabels, RequestMetrics } from '../telemetry/request-metrics.ts';
import type { RequestContext } from './context.ts';

/**
 * Measures what is executed, over HTTP and sockets alike. Operations are distinguished by their root field,
 * which the schema bounds; names of operations are the clients' and could be any number.
 */
export function measuredOperations(requests: RequestMetrics): Plugin<RequestContext> {
  return {
    onExecute: ({ args }) => {
      const done = operationTimer(requests, args);
      return { onExecuteDone: ({ result }) => done(result) };
    },
    onSubscribe: ({ args }) => {
      const done = operationTimer(requests, args);
      return { onSubscribeResult: ({ result }) => done(result) };
    },
  };
}

/**
 * Begins to measure an operation; what it returns is called with the result, or with the stream that it
 * opened.
 */
export function operationTimer(
  requests: RequestMetrics,
  { document, operationName }: Pick<ExecutionArgs, 'document' | 'operationName'>,
): (result: unknown) => void {
  const startedMs = performance.now();
  const operation = getOperationAST(document, operationName);
  return (result) => {
    if (operation === null || operation === undefined) return;
    requests.operationDone(
      { type: operation.operation, field: fieldOf(operation), outcome: hasErrors(result) ? 'error' : 'ok' },
      (performance.now() - startedMs) / 1_000,
    );
  };
}

/** The one root field that is asked for; the schema was asked before whether there is one of that name. */
function fieldOf({ selectionSet }: OperationDefinitionNode): OperationLabels['field'] {
  const fields = new Set<string>();
  for (const selection of selectionSet.selections) {
    if (selection.kind !== 'Field') return 'other';
    fields.add(selection.name.value);
  }
  const [first = 'other', ...more] = fields;
  return more.length > 0 ? 'many' : first;
}

function hasErrors(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'errors' in result;
}
