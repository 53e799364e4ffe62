import type { Columns } from '../../../db/columns.ts';
import { Parameters } from '../../../db/parameters.ts';
import { type Statement, statement } from '../../../db/statement.ts';
import type { Video } from '../../../generated/prisma/client.ts';

/** Which videos of one tenant, in the order of their ids. What is absent or null restricts nothing. */
export interface VideoConditions {
  readonly tenantId: string;
  readonly direction: 'asc' | 'desc';
  readonly idBounds: readonly { readonly operator: '<' | '>' | '>='; readonly id: string }[];
  readonly ownerId: string | null;
  readonly teamId: string | null;
  readonly statuses: readonly string[] | null;
  /** Part of the title, in whatever case. */
  readonly title: string | null;
}

/**
 * Ids of one tenant's videos in their order: the first `take` that meet the conditions, among the first
 * `budget` of the tenant or of the owner; `isEnd` marks the last one that was looked at, where the budget
 * ended before the videos did. Locks nothing. Index: videos_history_idx, or videos_owner_idx with an owner,
 * videos_team_idx with a team; then videos_pkey, one look a video.
 */
export function findListedVideos(
  { tenantId, direction, idBounds, ownerId, teamId, statuses, title }: VideoConditions,
  { take, budget }: { readonly take: number; readonly budget: number },
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const parameters = new Parameters();
  const tenant = parameters.add(tenantId, 'uuid');
  const most = parameters.add(budget, 'bigint');
  const bounds = idBounds
    .map(({ operator, id }) => ` and o.id ${operator} ${parameters.add(id, 'uuid')}`)
    .join('');
  const owner = ownerId === null ? '' : ` and o.owner_id = ${parameters.add(ownerId, 'text')}`;
  const team = teamId === null ? '' : ` and o.team_id = ${parameters.add(teamId, 'text')}`;
  const residual = [
    statuses === null ? '' : ` and v.status = any (${parameters.add(statuses, 'text[]')})`,
    title === null ? '' : ` and strpos(lower(v.title), lower(${parameters.add(title, 'text')})) > 0`,
  ].join('');
  const text = `
with walked as materialized (
  select o.id from millrace.videos o where o.tenant_id = ${tenant}${owner}${team}${bounds} order by o.id ${direction} limit ${most}
)
(select w.id, false as "isEnd" from walked w
 -- A probe of the index each: OFFSET 0 keeps it from being joined in any other order.
 cross join lateral (select from millrace.videos v where v.id = w.id and v.tenant_id = ${tenant}${residual} offset 0) f
 order by w.id ${direction} limit ${parameters.add(take, 'bigint')})
union all
(select w.id, true from walked w order by w.id ${direction} offset ${most} - 1 limit 1)`;
  return { statement: statement('find_listed_videos', text), values: parameters.values };
}

export interface ListedVideoRow extends Columns<Video, 'id'> {
  readonly isEnd: boolean;
}
