import { CalendarClock, Clapperboard, Cpu, Layers, ListChecks, Search, Settings, Zap } from 'lucide-react';

/** The pages of the navigation, each with the keys that go there. */
export const PLACES = [
  { to: '/jobs', name: 'Jobs', keys: 'g j', icon: ListChecks, scope: 'JOBS_READ' },
  { to: '/definitions', name: 'Definitions', keys: 'g d', icon: Layers, scope: 'JOBS_READ' },
  { to: '/schedules', name: 'Schedules', keys: 'g s', icon: CalendarClock, scope: 'JOBS_READ' },
  { to: '/triggers', name: 'Triggers', keys: 'g t', icon: Zap, scope: 'JOBS_READ' },
  { to: '/workers', name: 'Workers', keys: 'g w', icon: Cpu, scope: 'ADMIN' },
  { to: '/videos', name: 'Videos', keys: 'g v', icon: Clapperboard, scope: 'VIDEOS_READ' },
  { to: '/search', name: 'Search', keys: 'g f', icon: Search, scope: 'VIDEOS_READ' },
  { to: '/settings', name: 'Settings', keys: 'g e', icon: Settings, scope: 'ADMIN' },
] as const;
