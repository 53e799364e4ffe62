import { GraphQLError } from 'graphql';

/**
 * An error with another message, or with more beside it, at the same place. What it has is read only: it is
 * made again.
 */
export function rewrittenError(
  error: GraphQLError,
  {
    message = error.message,
    extensions,
  }: { readonly message?: string; readonly extensions: Record<string, unknown> },
): GraphQLError {
  const { nodes, source, positions, path, originalError } = error;
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    originalError: originalError ?? null,
    extensions: { ...error.extensions, ...extensions },
  });
}
