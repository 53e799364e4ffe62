import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { hasRole } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import { checkCount } from '../core/filter-values.ts';
import type { GraphqlContext } from './context.ts';
import { decodeGlobalId, encodeGlobalId } from './ids.ts';
import { MAX_COMPLEXITY, MAX_NODES } from './limits/limits.ts';

export interface SchemaTypes {
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    BigInt: { Input: bigint; Output: bigint };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
    UUID: { Input: string; Output: string };
  };
  AuthScopes: {
    /** Reads of one's own tenant: members and above, not the `worker` role. */
    member: boolean;
  };
}

/** The one builder of the schema. */
export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ErrorsPlugin, ScopeAuthPlugin, RelayPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  errors: { directResult: true },
  scopeAuth: {
    authScopes: ({ actor }) => ({ member: hasRole(actor.role, 'member') }),
    // Also for streams: at subscribe time, before a source is opened. The field's own check runs at each event.
    authorizeOnSubscribe: true,
    unauthorizedError: (_parent, { actor }) =>
      new DomainError('Forbidden', `Role ${actor.role} may not read this; it takes member.`, {
        allowed: 'member',
      }),
  },
  complexity: {
    defaultComplexity: 1,
    defaultListMultiplier: 5,
    limit: { complexity: MAX_COMPLEXITY },
    complexityError: (_kind, { complexity }) =>
      new DomainError(
        'InvalidArgument',
        `The operation's cost is ${complexity}; allowed: ${MAX_COMPLEXITY}. Ask for smaller pages or fewer fields.`,
        { field: 'query', allowed: String(MAX_COMPLEXITY) },
      ),
  },
  relay: {
    encodeGlobalID: encodeGlobalId,
    decodeGlobalID: decodeGlobalId,
    brandLoadedObjects: true,
    cursorType: 'String',
    nodesOnConnection: { description: 'The rows of this page.' },
    edgesFieldOptions: { nullable: false, description: 'The rows of this page, each with its cursor.' },
    nodeFieldOptions: { nullable: false, description: 'The row.' },
    cursorFieldOptions: { description: 'Where this row stands; give it to `after` or `before`.' },
    pageInfoFieldOptions: { description: 'Whether there is more, and where to go on.' },
    pageInfoTypeOptions: { description: 'Where a page lies within its list.' },
    hasNextPageFieldOptions: { description: 'Whether there are rows after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether there are rows before this page.' },
    startCursorFieldOptions: { description: 'Cursor of the first row; null on an empty page.' },
    endCursorFieldOptions: { description: 'Cursor of the last row; null on an empty page.' },
    idFieldOptions: { description: 'Global id.' },
    firstArgOptions: { description: 'Rows from the start of the list, 1 to 100; 50 by default.' },
    lastArgOptions: { description: 'Rows from the end of the list, 1 to 100.' },
    afterArgOptions: { description: 'Only rows after this cursor.' },
    beforeArgOptions: { description: 'Only rows before this cursor.' },
    nodeTypeOptions: { description: 'Anything with a global id.' },
    nodeQueryOptions: {
      nullable: true,
      description: 'Anything by its global id; null when it is not there or belongs to another tenant.',
      args: { id: { description: 'Global id.' } },
      authScopes: { member: true },
    },
    nodesQueryOptions: {
      description: 'Several things by their global ids, in order; null for each that is not there.',
      args: { ids: { description: `Global ids, at most ${MAX_NODES}.` } },
      authScopes: { member: true },
      resolve: (_root, { ids }, _context, _info, resolveNodes) => {
        checkCount('ids', ids, MAX_NODES);
        return resolveNodes(ids);
      },
      complexity: ({ ids }) => ({ field: 1, multiplier: Math.max(1, ids.length) }),
    },
  },
});

builder.queryType({ description: 'Reads. All of an operation is read from one snapshot.' });
builder.mutationType({
  description:
    'Writes. Expected failures are members of the result union; each has a code, a message and what was allowed.',
});
builder.subscriptionType({
  description: 'Streams over WebSocket (graphql-transport-ws) and server-sent events.',
});
