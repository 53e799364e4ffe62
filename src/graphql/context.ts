import type DataLoader from 'dataloader';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../access/caller.ts';
import type { OwnerSlots } from '../core/owner-slots.ts';
import type { OutageLog } from '../db/outage-log.ts';
import type { ReadDatabase } from '../db/prisma.ts';
import type { Feed } from '../events/feed.ts';
import type { Fanout } from '../fanout/fanout.ts';
import type { AccessTokens } from '../identity/access-token.ts';
import type { Identity } from '../identity/identity.ts';
import type { IdentityWatch } from '../identity/identity-watch.ts';
import type { JobsDeps } from '../jobs/deps.ts';
import type { FeedMetrics } from '../telemetry/feed-metrics.ts';
import type { Logger } from '../telemetry/log.ts';
import type { RequestMetrics } from '../telemetry/request-metrics.ts';
import type { Access } from './access/access-types.ts';
import type { LoaderDefinition } from './loader.ts';
import type { Loaders } from './loaders.ts';
import type { OperationReads } from './operation-reads.ts';
import type { Preparer } from './prepare/preparer.ts';

/** What the GraphQL API works with; the composition root fills it once. */
export interface GraphqlDeps {
  readonly schema: GraphQLSchema;
  readonly access: Access;
  readonly jobs: JobsDeps;
  readonly reads: ReadDatabase;
  readonly feed: Feed;
  readonly fanout: Fanout;
  readonly identityWatch: IdentityWatch;
  readonly accessTokens: AccessTokens;
  /** What stands between a message and its execution, for all transports. */
  readonly preparer: Preparer;
  /** In which queries and mutations are executed, by tenant. */
  readonly slots: { readonly query: OwnerSlots; readonly mutation: OwnerSlots };
  readonly metrics: FeedMetrics;
  readonly requests: RequestMetrics;
  /** The log of outages of the database, as rendering meets them. */
  readonly outages: OutageLog;
  readonly log: Logger;
}

/** What the HTTP route or the socket hands over with each operation. */
export interface RequestContext {
  readonly identity: Identity;
  readonly requestId: string;
  /** What the operation took from what its caller may ask, where the answer is to say so. */
  readonly shownCost?: number | undefined;
}

/** What resolvers see. Made again for every operation and for every event of a subscription. */
export interface GraphqlContext extends RequestContext {
  readonly deps: GraphqlDeps;
  readonly actor: Caller;
  readonly operation: OperationReads;
}

/** The loaders of the operation that is being executed. */
export function loadersOf(context: GraphqlContext): Loaders {
  return context.operation.loaders;
}

/** A domain's loader of the operation that is being executed. */
export function loaderOf<Key, Value>(
  context: GraphqlContext,
  definition: LoaderDefinition<Key, Value>,
): DataLoader<Key, Value> {
  return context.operation.loader(definition);
}
