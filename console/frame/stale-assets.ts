const KEY = 'millrace.console.reloaded';

/**
 * After an update of the server the parts that a page has not loaded yet are gone: it is loaded again, once.
 */
export function reloadOnceWhenStale(): void {
  addEventListener('vite:preloadError', (event) => {
    if (sessionStorage.getItem(KEY) === location.href) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, location.href);
    location.reload();
  });
}
