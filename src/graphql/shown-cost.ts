import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from './context.ts';
import type { Preparer } from './prepare/preparer.ts';

/**
 * A request header that asks what the operation cost; over a socket, and there too,
 * `extensions: { showCost: true }` of the request.
 */
export const COST_HEADER = 'x-millrace-cost';

/**
 * Puts into the answers of those who asked for it what the operation cost and what is left:
 * `extensions.cost`.
 */
export function shownCost(preparer: Preparer): Plugin<RequestContext> {
  return {
    onExecute: ({ args }) => {
      const { identity, shownCost: requested } = args.contextValue as RequestContext;
      if (requested === undefined) return {};
      return {
        onExecuteDone: ({ result, setResult }) => {
          if (Symbol.asyncIterator in result) return;
          const cost = { requested, ...preparer.costLeft(identity) };
          setResult({ ...result, extensions: { ...result.extensions, cost } });
        },
      };
    },
  };
}
