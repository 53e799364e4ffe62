import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { App } from './frame/app.tsx';
import { NotFound } from './frame/not-found.tsx';
import { JOBS_PARAMS } from './jobs/job-params.ts';
import { JobsPage } from './jobs/jobs-page.tsx';
import { parseParams, stringifyParams, validated } from './search-params.ts';
import { BASE_PATH } from './session/place.ts';

const ANY = /^[\s\S]{0,500}$/;
const root = createRootRoute({ component: App, notFoundComponent: NotFound });
const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path }) as const;

const index = createRoute({
  ...at('/'),
  component: lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
  validateSearch: (given: Record<string, unknown>) =>
    validated(given, { since: /^(60|300|900|3600|21600|86400)$/ }),
});
const jobs = createRoute({
  ...at('/jobs'),
  component: JobsPage,
  validateSearch: (given: Record<string, unknown>) => validated(given, JOBS_PARAMS),
});
const job = createRoute({
  ...at('/jobs/$jobId'),
  component: lazyRouteComponent(() => import('./job/job-page.tsx'), 'JobPage'),
  validateSearch: (given: Record<string, unknown>) =>
    validated(given, { tab: /^(overview|log|data|graph)$/ }),
});
const definitions = createRoute({
  ...at('/definitions'),
  component: lazyRouteComponent(() => import('./definitions/definitions-page.tsx'), 'DefinitionsPage'),
  validateSearch: (given: Record<string, unknown>) => validated(given, { q: ANY }),
});
const definition = createRoute({
  ...at('/definitions/$key'),
  component: lazyRouteComponent(() => import('./definitions/definition-page.tsx'), 'DefinitionPage'),
  validateSearch: (given: Record<string, unknown>) =>
    validated(given, { tab: /^(enqueue|settings|schema)$/, copy: ANY }),
});
const schedules = createRoute({
  ...at('/schedules'),
  component: lazyRouteComponent(() => import('./triggers/schedules-page.tsx'), 'SchedulesPage'),
  validateSearch: (given: Record<string, unknown>) => validated(given, { edit: ANY }),
});
const triggers = createRoute({
  ...at('/triggers'),
  component: lazyRouteComponent(() => import('./triggers/triggers-page.tsx'), 'TriggersPage'),
  validateSearch: (given: Record<string, unknown>) =>
    validated(given, { name: ANY, tab: /^(events|rules)$/ }),
});
const webhooks = createRoute({
  ...at('/webhooks'),
  component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  validateSearch: (given: Record<string, unknown>) => validated(given, { endpoint: /^[\da-f-]{36}$/ }),
});
const workers = createRoute({
  ...at('/workers'),
  component: lazyRouteComponent(() => import('./workers/workers-page.tsx'), 'WorkersPage'),
});
const videos = createRoute({
  ...at('/videos'),
  component: lazyRouteComponent(() => import('./videos/videos-page.tsx'), 'VideosPage'),
});
const video = createRoute({
  ...at('/videos/$videoId'),
  component: lazyRouteComponent(() => import('./videos/video-page.tsx'), 'VideoPage'),
  validateSearch: (given: Record<string, unknown>) => validated(given, { t: /^\d+(\.\d+)?$/ }),
});
const calls = createRoute({
  ...at('/calls'),
  component: lazyRouteComponent(() => import('./calls/calls-page.tsx'), 'CallsPage'),
  validateSearch: (given: Record<string, unknown>) => validated(given, { q: ANY }),
});
const call = createRoute({
  ...at('/calls/$callId'),
  component: lazyRouteComponent(() => import('./calls/call-page.tsx'), 'CallPage'),
  validateSearch: (given: Record<string, unknown>) => validated(given, { t: /^\d+(\.\d+)?$/ }),
});
const search = createRoute({
  ...at('/search'),
  component: lazyRouteComponent(() => import('./search/search-page.tsx'), 'SearchPage'),
  validateSearch: (given: Record<string, unknown>) => validated(given, { q: ANY }),
});
const links = createRoute({
  ...at('/links'),
  component: lazyRouteComponent(() => import('./links/links-page.tsx'), 'LinksPage'),
  validateSearch: (given: Record<string, unknown>) => validated(given, { q: ANY, status: /^[A-Z]{4,9}$/ }),
});
const link = createRoute({
  ...at('/links/$linkId'),
  component: lazyRouteComponent(() => import('./links/link-page.tsx'), 'LinkPage'),
});
const messages = createRoute({
  ...at('/messages'),
  component: lazyRouteComponent(() => import('./messages/messages-page.tsx'), 'MessagesPage'),
  validateSearch: (given: Record<string, unknown>) =>
    validated(given, { queue: ANY, tab: /^(live|archived)$/ }),
});
const tenants = createRoute({
  ...at('/tenants'),
  component: lazyRouteComponent(() => import('./tenants/tenants-page.tsx'), 'TenantsPage'),
});
const settings = createRoute({
  ...at('/settings'),
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
  validateSearch: (given: Record<string, unknown>) =>
    validated(given, { tab: /^(tenant|members|keys|audit)$/, action: ANY, actor: ANY }),
});

export const router = createRouter({
  routeTree: root.addChildren([
    index,
    jobs,
    job,
    definitions,
    definition,
    schedules,
    triggers,
    webhooks,
    workers,
    videos,
    video,
    calls,
    call,
    search,
    links,
    link,
    messages,
    tenants,
    settings,
  ]),
  basepath: BASE_PATH,
  parseSearch: parseParams,
  stringifySearch: stringifyParams,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
