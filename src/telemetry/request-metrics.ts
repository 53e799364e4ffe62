import { Histogram } from '@prometheus-io/client';
import type { Metrics } from './metrics.ts';

/** What a GraphQL operation is counted under. */
export interface OperationLabels {
  readonly type: 'query' | 'mutation' | 'subscription';
  /** A root field of the schema, `many`, or `other`: never a name that a client has chosen. */
  readonly field: string;
  readonly outcome: 'ok' | 'error';
}

/** How long requests take. */
export interface RequestMetrics {
  /** @param route the route's pattern, undefined where there is none */
  httpAnswered(method: string, route: string | undefined, status: number, seconds: number): void;
  operationDone(labels: OperationLabels, seconds: number): void;
}

const BUCKETS_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Request durations in the registry of a process; to be made once for it. Every label has few values,
 * whatever clients send.
 */
export function createRequestMetrics({ registry }: Metrics): RequestMetrics {
  const http = new Histogram({
    name: 'millrace_http_request_duration_seconds',
    help: 'HTTP requests from their head to the end of the answer; event streams are left out.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const graphql = new Histogram({
    name: 'millrace_graphql_operation_duration_seconds',
    help: 'Execution of queries and mutations, and of subscriptions until they begin, over HTTP and sockets.',
    labelNames: ['type', 'field', 'outcome'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return {
    httpAnswered: (method, route, status, seconds) =>
      http.observe(
        { method: METHODS.has(method) ? method : 'other', route: route ?? 'other', status: String(status) },
        seconds,
      ),
    operationDone: ({ type, field, outcome }, seconds) => graphql.observe({ type, field, outcome }, seconds),
  };
}
