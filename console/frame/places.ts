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
import { may, type Viewer } from '../session/viewer.ts';

interface Place {
  readonly to:
    | '/'
    | '/jobs'
    | '/definitions'
    | '/schedules'
    | '/triggers'
    | '/webhooks'
    | '/workers'
    | '/videos'
    | '/calls'
    | '/search'
    | '/links'
    | '/messages'
    | '/tenants'
    | '/settings';
  readonly name: string;
  readonly keys: string;
  readonly icon: LucideIcon;
  readonly scope: 'JOBS_READ' | 'VIDEOS_READ' | 'ADMIN';
  /** Whom alone it is shown to. */
  readonly role?: Viewer['role'];
}

/** The pages of the navigation, each with the keys that go there. */
export const PLACES: readonly Place[] = [
  { to: '/', name: 'Overview', keys: 'g o', icon: LayoutDashboard, scope: 'JOBS_READ' },
  { to: '/jobs', name: 'Jobs', keys: 'g j', icon: ListChecks, scope: 'JOBS_READ' },
  { to: '/definitions', name: 'Definitions', keys: 'g d', icon: Layers, scope: 'JOBS_READ' },
  { to: '/schedules', name: 'Schedules', keys: 'g s', icon: CalendarClock, scope: 'JOBS_READ' },
  { to: '/triggers', name: 'Triggers', keys: 'g t', icon: Zap, scope: 'JOBS_READ' },
  { to: '/webhooks', name: 'Webhooks', keys: 'g h', icon: Webhook, scope: 'ADMIN' },
  { to: '/workers', name: 'Workers', keys: 'g w', icon: Cpu, scope: 'ADMIN', role: 'SUPER_ADMIN' },
  { to: '/videos', name: 'Videos', keys: 'g v', icon: Clapperboard, scope: 'VIDEOS_READ' },
  { to: '/calls', name: 'Calls', keys: 'g c', icon: Phone, scope: 'VIDEOS_READ' },
  { to: '/search', name: 'Search', keys: 'g f', icon: Search, scope: 'VIDEOS_READ' },
  { to: '/links', name: 'Links', keys: 'g l', icon: Link2, scope: 'JOBS_READ' },
  { to: '/messages', name: 'Messages', keys: 'g m', icon: MessagesSquare, scope: 'JOBS_READ' },
  { to: '/tenants', name: 'Tenants', keys: 'g a', icon: Building2, scope: 'ADMIN', role: 'SUPER_ADMIN' },
  { to: '/settings', name: 'Settings', keys: 'g e', icon: Settings, scope: 'ADMIN' },
];

/** Those that a person may see: what would be refused is not offered. */
export function placesOf(viewer: Viewer): readonly Place[] {
  return PLACES.filter(
    ({ scope, role }) => may(viewer, scope) && (role === undefined || viewer.role === role),
  );
}
