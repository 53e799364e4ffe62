import { CircleCheck, CircleX, Clock3, LoaderCircle } from 'lucide-react';
import type { LinksResult } from '../api/operations.gen.ts';
import { StateBadge } from '../parts/status.tsx';

export type ListedLink = NonNullable<LinksResult['links']>['nodes'][number];
type LinkStatus = ListedLink['status'];

export const LINK_STATES = {
  PENDING: { word: 'Waits', tone: 'idle', icon: Clock3 },
  SCRAPING: { word: 'Being read', tone: 'info', icon: LoaderCircle },
  ENRICHING: { word: 'Being summed up', tone: 'info', icon: LoaderCircle },
  DONE: { word: 'Done', tone: 'ok', icon: CircleCheck },
  FAILED: { word: 'Failed', tone: 'bad', icon: CircleX },
} as const satisfies Record<LinkStatus, unknown>;

export function LinkState({ status }: { readonly status: LinkStatus }) {
  return <StateBadge {...LINK_STATES[status]} />;
}
