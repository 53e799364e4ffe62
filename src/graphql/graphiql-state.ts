/**
 * JavaScript of the playground's page: which tabs it opens with, and what its address says. The address
 * carries the document and variables of the tab that is shown, so that it can be reloaded, kept and sent to
 * somebody; a token is never part of it. GraphiQL keeps its tabs in the browser, but opens an empty one
 * beside them wherever it does not find its first document among them word for word: so that one is put there
 * before it starts.
 */
export const KEEP_TABS = `
  function keepTabs(options) {
    // Proxies and browsers cut or refuse longer addresses. The tabs are kept all the same.
    const MOST_CHARACTERS = 8000;
    const KEY = 'graphiql:tabState';
    const isText = (value) => typeof value === 'string';
    const stored = () => {
      try {
        const state = JSON.parse(localStorage.getItem(KEY));
        const isWhole = Array.isArray(state.tabs) && state.tabs.length > 0 && state.tabs.every((tab) => isText(tab.id));
        return isWhole ? state : null;
      } catch {
        return null;
      }
    };
    const nameIn = (query) => /^(?!#).*(?:query|subscription|mutation)\\s+(\\w+)/m.exec(query)?.[1] ?? null;
    const tabOf = ({ query, variables = null }, n) => {
      const operationName = nameIn(query);
      const id = Date.now().toString(36) + '-' + n + '-' + Math.random().toString(36).slice(2);
      const title = operationName ?? '<untitled>';
      return { id, title, query, variables, headers: null, operationName, response: null };
    };
    const state = stored() ?? { activeTabIndex: 0, tabs: options.defaultTabs.map(tabOf) };
    state.activeTabIndex = Math.min(Math.max(Number(state.activeTabIndex) || 0, 0), state.tabs.length - 1);

    const asked = new URLSearchParams(location.search);
    const query = asked.get('query');
    if (query !== null) {
      const variables = asked.get('variables');
      const isAsked = (tab) =>
        (tab.query ?? '') === query && (variables === null || (tab.variables ?? '') === variables);
      const active = state.tabs[state.activeTabIndex];
      const at = isAsked(active) ? state.activeTabIndex : state.tabs.findIndex(isAsked);
      if (at < 0) state.tabs.unshift(tabOf({ query, variables }, state.tabs.length));
      state.activeTabIndex = Math.max(at, 0);
    }
    const first = state.tabs[state.activeTabIndex];
    const store = (tabs) => {
      try {
        localStorage.setItem(KEY, JSON.stringify(tabs));
      } catch {
        // Without storage there is nothing to find again; the page works.
      }
    };
    store(state);

    let active = state.activeTabIndex;
    const shown = { query: first.query ?? '', variables: first.variables ?? '' };
    let waiting;
    const showNow = () => {
      clearTimeout(waiting);
      waiting = undefined;
      // GraphiQL stores its tabs later than this; a reload in between would find the document in none of
      // them.
      const now = stored();
      if (now?.tabs[active] !== undefined) {
        const operationName = nameIn(shown.query);
        Object.assign(now.tabs[active], shown, { operationName, title: operationName ?? '<untitled>' });
        now.activeTabIndex = active;
        store(now);
      }
      const url = new URL(location.href);
      for (const [name, value] of Object.entries(shown)) {
        if (value === '') url.searchParams.delete(name);
        else url.searchParams.set(name, value);
      }
      if (url.href.length > MOST_CHARACTERS) for (const name of Object.keys(shown)) url.searchParams.delete(name);
      if (url.href !== location.href) history.replaceState(null, '', url);
    };
    // Browsers refuse an address that changes with every key.
    const show = (change) => {
      Object.assign(shown, change);
      waiting ??= setTimeout(showNow, 300);
    };
    addEventListener('pagehide', () => waiting !== undefined && showNow());

    return {
      ...options,
      ...shown,
      onEditQuery: (query) => show({ query }),
      onEditVariables: (variables) => show({ variables }),
      onTabChange: ({ tabs, activeTabIndex }) => {
        const tab = tabs[activeTabIndex];
        active = activeTabIndex;
        if (tab !== undefined) show({ query: tab.query ?? '', variables: tab.variables ?? '' });
      },
    };
  }`;
