import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { checkCount } from '../core/filter-values.ts';
import type { Access } from './access/access-types.ts';
import { mayNotRead, mayRead } from './access/read-scopes.ts';
import type { GraphqlContext } from './context.ts';
import { decodeGlobalId, encodeGlobalId } from './ids.ts';
import { MAX_NODES } from './limits/limits.ts';

export interface SchemaTypes {
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    BigInt: { Input: bigint; Output: bigint };
    Date: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
    UUID: { Input: string; Output: string };
  };
  AuthScopes: {
    /**
     * Reads of one's own tenant: members and above, not the `worker` role, nor an API key without
     * `jobs:read`.
     */
    member: boolean;
    /** The same of its videos: an API key takes `videos:read`. */
    videos: boolean;
  };
}

/** The one builder of the schema. */
export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ErrorsPlugin, ScopeAuthPlugin, RelayPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  errors: { directResult: true },
  scopeAuth: {
    authScopes: ({ actor }) => ({ member: mayRead(actor, 'member'), videos: mayRead(actor, 'videos') }),
    // Also for streams: at subscribe time, before a source is opened. `checkEachEvent` asks again at each
    // event.
    authorizeOnSubscribe: true,
    unauthorizedError: (_parent, { actor }, _info, { failure }) =>
      mayNotRead(actor, JSON.stringify(failure).includes('videos') ? 'videos' : 'member'),
  },
  // Without a limit of its own: an operation is weighed once, before it is executed, and not at each event of
  // a stream.
  complexity: { defaultComplexity: 1, defaultListMultiplier: 5 },
  relay: {
    encodeGlobalID: encodeGlobalId,
    decodeGlobalID: decodeGlobalId,
    brandLoadedObjects: true,
    cursorType: 'String',
    // The connection's own field has multiplied by the size of the page already.
    nodesOnConnection: { description: 'The rows of this page.', complexity: { field: 1, multiplier: 1 } },
    edgesFieldOptions: {
      nullable: false,
      description: 'The rows of this page, each with its cursor.',
      complexity: { field: 1, multiplier: 1 },
    },
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
      authScopes: (_root, { id }, { deps }) => scopesOfNodes([id], deps.access),
    },
    nodesQueryOptions: {
      nullable: { list: true, items: true },
      description: 'Several things by their global ids, in order; null for each that is not there.',
      args: { ids: { description: `Global ids, at most ${MAX_NODES}.` } },
      authScopes: (_root, { ids }, { deps }) => scopesOfNodes(ids, deps.access),
      resolve: (_root, { ids }, _context, _info, resolveNodes) => {
        checkCount('ids', ids, MAX_NODES);
        return resolveNodes(ids);
      },
      complexity: ({ ids }) => ({ field: 1, multiplier: Math.max(1, ids.length) }),
    },
  },
});

/**
 * Everything that has a global id is read by the members' scope, but for what its domain names another for.
 */
function scopesOfNodes(ids: readonly { readonly typename: string }[], { nodeScopes }: Access) {
  const asked = ids.map(({ typename }) => nodeScopes[typename] ?? 'member');
  const scopes = asked.length === 0 ? ['member'] : asked;
  return { $all: Object.fromEntries(scopes.map((scope) => [scope, true])) };
}

builder.queryType({ description: 'Reads. All of an operation is read from one snapshot.' });
builder.mutationType({
  description:
    'Writes. Expected failures are members of the result union; each has a code, a message and what was allowed.',
});
builder.subscriptionType({
  description: 'Streams over WebSocket (graphql-transport-ws) and server-sent events.',
});
