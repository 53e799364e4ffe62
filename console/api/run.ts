import { type MillraceClient, MillraceError, type PayloadProblem } from '../../src/client/index.ts';
import type { Operation } from '../../src/client/operation.ts';

/** @throws MillraceError */
export async function run<Result, Variables extends object>(
  client: MillraceClient,
  operation: Operation<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Result> {
  return await client.request<Result>(operation.text, variables, { signal });
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
  readonly allowed: string | null;
  readonly problems?: readonly PayloadProblem[];
}

/** What a mutation did. @throws MillraceError for a typed failure */
export function done<Result extends { readonly __typename: string }>(
  result: Result,
): Exclude<Result, { readonly code: string }> {
  if ('code' in result) {
    const { code, message, field, allowed, problems } = result as unknown as Failure;
    throw new MillraceError(code, message, { field, allowed, ...(problems && { problems }) });
  }
  return result as Exclude<Result, { readonly code: string }>;
}
