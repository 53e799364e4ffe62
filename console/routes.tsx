import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { App } from './frame/app.tsx';
import { NotFound } from './frame/not-found.tsx';
import { JobsPage } from './jobs/jobs-page.tsx';
import { PAGE_PARAMS, type PagePath, type ParamRules } from './page-params.ts';
import { parseParams, stringifyParams, validated } from './search-params.ts';
import { BASE_PATH } from './session/place.ts';

const root = createRootRoute({ component: App, notFoundComponent: NotFound });
const at = <Path extends PagePath>(path: Path) => ({
  getParentRoute: () => root,
  path,
  validateSearch: (given: Record<string, unknown>) =>
    validated<keyof (typeof PAGE_PARAMS)[Path] & string>(given, PAGE_PARAMS[path] as ParamRules),
});

const index = createRoute({
  ...at('/'),
  component: lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
});
const jobs = createRoute({
  ...at('/jobs'),
  component: JobsPage,
});
const job = createRoute({
  ...at('/jobs/$jobId'),
  component: lazyRouteComponent(() => import('./job/job-page.tsx'), 'JobPage'),
});
const definitions = createRoute({
  ...at('/definitions'),
  component: lazyRouteComponent(() => import('./definitions/definitions-page.tsx'), 'DefinitionsPage'),
});
const definition = createRoute({
  ...at('/definitions/$key'),
  component: lazyRouteComponent(() => import('./definitions/definition-page.tsx'), 'DefinitionPage'),
});
const schedules = createRoute({
  ...at('/schedules'),
  component: lazyRouteComponent(() => import('./triggers/schedules-page.tsx'), 'SchedulesPage'),
});
const triggers = createRoute({
  ...at('/triggers'),
  component: lazyRouteComponent(() => import('./triggers/triggers-page.tsx'), 'TriggersPage'),
});
const webhooks = createRoute({
  ...at('/webhooks'),
  component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
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
});
const calls = createRoute({
  ...at('/calls'),
  component: lazyRouteComponent(() => import('./calls/calls-page.tsx'), 'CallsPage'),
});
const call = createRoute({
  ...at('/calls/$callId'),
  component: lazyRouteComponent(() => import('./calls/call-page.tsx'), 'CallPage'),
});
const search = createRoute({
  ...at('/search'),
  component: lazyRouteComponent(() => import('./search/search-page.tsx'), 'SearchPage'),
});
const links = createRoute({
  ...at('/links'),
  component: lazyRouteComponent(() => import('./links/links-page.tsx'), 'LinksPage'),
});
const link = createRoute({
  ...at('/links/$linkId'),
  component: lazyRouteComponent(() => import('./links/link-page.tsx'), 'LinkPage'),
});
const messages = createRoute({
  ...at('/messages'),
  component: lazyRouteComponent(() => import('./messages/messages-page.tsx'), 'MessagesPage'),
});
const tenants = createRoute({
  ...at('/tenants'),
  component: lazyRouteComponent(() => import('./tenants/tenants-page.tsx'), 'TenantsPage'),
});
const settings = createRoute({
  ...at('/settings'),
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
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
