import type { GraphQLResolveInfo } from 'graphql';

/**
 * The field that a use-case names, as the client wrote it: mutations take all they take in one argument.
 * @param at where the answer shows it
 */
export function argumentPath(field: string, at: GraphQLResolveInfo['path']): string {
  let root = at;
  while (root.prev !== undefined) root = root.prev;
  return root.typename === 'Mutation' && !/^input\b/.test(field) ? `input.${field}` : field;
}
