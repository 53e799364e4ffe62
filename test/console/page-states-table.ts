import type { PagePath } from '../../console/page-params.ts';

const NOBODY = '01900000-0000-7000-8000-000000000000';

/** What a page shows in each of its states. */
export interface PageStates {
  readonly title: string;
  /** The address at which its main request is made, if that is not its path: one of nothing, or a search. */
  readonly at?: string;
  /** The operation that it cannot do without. */
  readonly operation: string;
  /** A stream, in place of a request: it has no request id, and is dated by the connection. */
  readonly isStream?: boolean;
  /** A request whose rows a stream keeps current: they, too, are dated by the connection. */
  readonly isLive?: boolean;
  /** It asks only when somebody does: what was found before stays beside the error. */
  readonly isReadOnce?: boolean;
  /** What it shows on a fresh tenant, at its path. */
  readonly first: string;
  /** For what no tenant is without: an answer that has none. */
  readonly emptyAnswer?: object;
  /** Whether it shows how to make the first one. */
  readonly hasExample?: boolean;
  /** A filter that matches nothing, what it says then, and how it repeats the filter. */
  readonly filtered?: { readonly query: string; readonly text: string; readonly chip: string };
  /** What it says of somebody who may not see it. */
  readonly lacking: string;
}

const JOBS = 'the scope jobs:read';
const MEDIA = 'the scope videos:read';
const ADMIN = 'the scope admin';
const SUPER_ADMIN = 'the role super admin';

/** Every page of the router: one that is not in it does not compile. */
export const PAGE_STATES: Readonly<Record<PagePath, PageStates>> = {
  '/': {
    title: 'Overview',
    operation: 'Definitions',
    first: 'No jobs in this window',
    hasExample: true,
    lacking: JOBS,
  },
  '/jobs': {
    title: 'Jobs',
    operation: 'JobPage',
    isLive: true,
    first: 'No jobs yet',
    hasExample: true,
    filtered: { query: '?tag=nobody', text: 'No job matches', chip: 'tag: nobody' },
    lacking: JOBS,
  },
  '/jobs/$jobId': {
    title: 'Job',
    at: `/jobs/${NOBODY}`,
    operation: 'JobDetail',
    first: 'There is no such job',
    lacking: JOBS,
  },
  '/definitions': {
    title: 'Definitions',
    operation: 'Definitions',
    first: 'No definitions yet',
    emptyAnswer: { jobDefinitions: { nodes: [] } },
    hasExample: true,
    filtered: { query: '?q=nobody', text: 'No definition matches', chip: 'Find: nobody' },
    lacking: JOBS,
  },
  '/definitions/$key': {
    title: 'Definition',
    at: '/definitions/nobody',
    operation: 'Definition',
    first: 'There is no such definition',
    lacking: JOBS,
  },
  '/schedules': {
    title: 'Schedules',
    operation: 'Triggers',
    first: 'No schedules yet',
    hasExample: true,
    filtered: { query: '?q=nobody&enabled=no', text: 'No schedule matches', chip: 'State: paused' },
    lacking: JOBS,
  },
  '/triggers': {
    title: 'Triggers',
    operation: 'Triggers',
    first: 'No triggers yet',
    hasExample: true,
    filtered: { query: '?tab=events&name=nobody', text: 'No event matches', chip: 'Name: nobody' },
    lacking: JOBS,
  },
  '/webhooks': {
    title: 'Webhooks',
    operation: 'Webhooks',
    first: 'No endpoints yet',
    hasExample: true,
    lacking: ADMIN,
  },
  '/workers': {
    title: 'Workers',
    operation: 'Workers',
    first: 'No worker runs',
    emptyAnswer: { workers: [] },
    lacking: SUPER_ADMIN,
  },
  '/videos': {
    title: 'Videos',
    operation: 'VideoChanges',
    isStream: true,
    first: 'No videos yet',
    hasExample: true,
    filtered: { query: '?q=nobody&state=READY', text: 'No video matches', chip: 'State: Ready' },
    lacking: MEDIA,
  },
  '/videos/$videoId': {
    title: 'Video',
    at: `/videos/${NOBODY}`,
    operation: 'VideoChanged',
    isStream: true,
    first: 'There is no such video',
    lacking: MEDIA,
  },
  '/calls': {
    title: 'Calls',
    operation: 'CallChanges',
    isStream: true,
    first: 'No calls yet',
    hasExample: true,
    filtered: { query: '?q=nobody', text: 'Nobody said that', chip: 'Looked for: nobody' },
    lacking: MEDIA,
  },
  '/calls/$callId': {
    title: 'Call',
    at: `/calls/${NOBODY}`,
    operation: 'CallChanged',
    isStream: true,
    first: 'There is no such call',
    lacking: MEDIA,
  },
  '/search': {
    title: 'Search',
    at: '/search?q=everybody',
    operation: 'SearchVideos',
    isReadOnce: true,
    first: 'What was shown, word by word',
    hasExample: true,
    filtered: { query: '?q=nobody&kind=PRICE', text: 'Nothing was found', chip: 'Kind: Prices' },
    lacking: MEDIA,
  },
  '/links': {
    title: 'Links',
    operation: 'Links',
    first: 'No links yet',
    hasExample: true,
    filtered: { query: '?status=FAILED', text: 'No link stands there', chip: 'Status: Failed' },
    lacking: JOBS,
  },
  '/links/$linkId': {
    title: 'Link',
    at: `/links/${NOBODY}`,
    operation: 'LinkDetail',
    first: 'There is no such link',
    lacking: JOBS,
  },
  '/messages': {
    title: 'Messages',
    operation: 'DefinitionKeys',
    first: 'No queues',
    lacking: JOBS,
  },
  '/tenants': {
    title: 'Tenants',
    operation: 'Tenants',
    first: 'No tenants yet',
    emptyAnswer: { tenants: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } } },
    hasExample: true,
    lacking: SUPER_ADMIN,
  },
  '/settings': {
    title: 'Settings',
    operation: 'Settings',
    first: 'Runs at once',
    filtered: { query: '?tab=audit&actor=nobody', text: 'Nothing is on record', chip: 'Actor: nobody' },
    lacking: ADMIN,
  },
};
