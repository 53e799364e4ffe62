import {
  Building2,
  CalendarClock,
  Clapperboard,
  Cpu,
  Layers,
  LayoutDashboard,
  Link2,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  Phone,
  Search,
  Settings,
  Webhook,
  Zap,
} from 'lucide-react';
import { lackingFor } from '../page-access.ts';
import type { PagePath } from '../page-params.ts';
import type { Viewer } from '../session/viewer.ts';

interface Place {
  readonly to: Exclude<PagePath, `${string}$${string}`>;
  readonly name: string;
  readonly keys: string;
  readonly icon: LucideIcon;
}

/** The pages of the navigation, each with the keys that go there. */
export const PLACES: readonly Place[] = [
  { to: '/', name: 'Overview', keys: 'g o', icon: LayoutDashboard },
  { to: '/jobs', name: 'Jobs', keys: 'g j', icon: ListChecks },
  { to: '/definitions', name: 'Definitions', keys: 'g d', icon: Layers },
  { to: '/schedules', name: 'Schedules', keys: 'g s', icon: CalendarClock },
  { to: '/triggers', name: 'Triggers', keys: 'g t', icon: Zap },
  { to: '/webhooks', name: 'Webhooks', keys: 'g h', icon: Webhook },
  { to: '/workers', name: 'Workers', keys: 'g w', icon: Cpu },
  { to: '/videos', name: 'Videos', keys: 'g v', icon: Clapperboard },
  { to: '/calls', name: 'Calls', keys: 'g c', icon: Phone },
  { to: '/search', name: 'Search', keys: 'g f', icon: Search },
  { to: '/links', name: 'Links', keys: 'g l', icon: Link2 },
  { to: '/messages', name: 'Messages', keys: 'g m', icon: MessagesSquare },
  { to: '/tenants', name: 'Tenants', keys: 'g a', icon: Building2 },
  { to: '/settings', name: 'Settings', keys: 'g e', icon: Settings },
];

/** Those that a person may see: what would be refused is not offered. */
export function placesOf(viewer: Viewer): readonly Place[] {
  return PLACES.filter(({ to }) => lackingFor(viewer, to) === null);
}
