import type { ChangedEntityRow, FeedEntityRow } from '../../../db/feed-rows.ts';
import type { EntityChange, FeedMark } from '../../../events/change.ts';
import {
  type CheckedEntityFilter,
  checkEntityFilter,
  type EntityFilter,
} from '../../../events/entity-filter.ts';
import { entityList } from '../../../events/entity-list.ts';
import { CALL_STATUSES, type CallStatus } from '../call-status.ts';
import { findChangedCalls } from '../sql/find-changed-calls.ts';
import { findInitialCalls } from '../sql/find-initial-calls.ts';

/** Which calls of one tenant to watch. A call that leaves the statuses is announced as `callLeft`. */
export type CallListFilter = EntityFilter<CallStatus>;

/** What a list of calls yields. */
export type CallFeedEvent =
  | { readonly kind: 'call'; readonly change: EntityChange; readonly cursor: string }
  | { readonly kind: 'callLeft'; readonly callId: string; readonly cursor: string }
  | { readonly kind: 'callRemoved'; readonly callId: string; readonly cursor: string }
  | FeedMark;

/** Checks a filter and fills in its defaults. @throws DomainError `InvalidArgument` naming the field */
export function checkCallFilter(filter: CallListFilter): CheckedEntityFilter {
  return checkEntityFilter(filter, CALL_STATUSES);
}

/** A list of calls, for a feed's `subscribeList`. */
export function callList(filter: CheckedEntityFilter) {
  return entityList<CallFeedEvent>(
    {
      name: 'calls',
      entity: 'call',
      event: (verdict, trace, cursor) => {
        if (verdict === 'in') return { kind: 'call', change: trace as EntityChange, cursor };
        return { kind: verdict === 'left' ? 'callLeft' : 'callRemoved', callId: trace.id, cursor };
      },
      findInitial: async (tx, { tenantId, statuses, createdBy }, limit) =>
        (await tx.query<FeedEntityRow>(findInitialCalls, [tenantId, limit, statuses, createdBy])).rows,
      findMissed: async (tx, { tenantId, createdBy }, { parameters, maxTotal }) =>
        (await tx.query<ChangedEntityRow>(findChangedCalls, [tenantId, ...parameters, createdBy, maxTotal]))
          .rows,
    },
    filter,
  );
}
