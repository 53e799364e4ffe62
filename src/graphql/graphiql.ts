import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { repairPage } from './graphiql-repairs.ts';
import { KEEP_TABS } from './graphiql-state.ts';
import { EXAMPLE_TABS } from './graphiql-tabs.ts';

/**
 * The page needs no network but this server, and gets none. Its editor compiles code and runs workers from
 * blobs.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob:",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  'worker-src blob:',
  "connect-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * A link may bring a token in its fragment (`/graphql#token=…`), which browsers keep to themselves. It goes
 * with every request, subscriptions included, until the tab is closed; what is typed into "Headers" comes
 * before it. Another link in the same tab changes the fragment alone, which loads nothing: the page then
 * begins again, and with it every stream.
 */
const WITH_TOKEN = `
  function withToken(options) {
    const key = 'millrace.token';
    const given = new URLSearchParams(location.hash.slice(1)).get('token');
    if (given) {
      sessionStorage.setItem(key, given);
      history.replaceState(null, '', location.pathname + location.search);
    }
    addEventListener('hashchange', () => {
      if (new URLSearchParams(location.hash.slice(1)).has('token')) location.reload();
    });
    const token = given || sessionStorage.getItem(key);
    if (!token) return options;
    const headers = '{}';
    const tabs = options.defaultTabs.map((tab) => ({ ...tab, headers }));
    return { ...options, headers, defaultTabs: tabs, additionalHeaders: { Authorization: 'Bearer ' + token } };
  }`;

const EMPTY_TOKEN = '{\n  "Authorization": "Bearer "\n}';

let page: Promise<Buffer> | undefined;

/** The playground's page, gzipped: its 9 MB are read at the first visit and kept small. */
export function graphiqlPage(): Promise<Buffer> {
  page ??= makePage();
  return page;
}

async function makePage(): Promise<Buffer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const options = {
    title: 'Millrace',
    // SSE and not WebSocket: only there does what is typed into "Headers" reach a subscription.
    subscriptionsProtocol: 'SSE' as const,
    headers: EMPTY_TOKEN,
    defaultTabs: EXAMPLE_TABS.map((tab) => ({ ...tab, headers: EMPTY_TOKEN })),
    shouldPersistHeaders: false,
  };
  const json = JSON.stringify(options);
  const html = repairPage(renderGraphiQL(options))
    .replace('<div id="root"></div>', () => `<div id="root"></div><script>${WITH_TOKEN}${KEEP_TABS}</script>`)
    .replace(json, () => `keepTabs(withToken(${json}))`);
  return promisify(gzip)(html);
}
