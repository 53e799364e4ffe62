const KEY = 'millrace.console.token';

/**
 * The token of this tab, or of this device where its owner asked for that. It is never in an address that a
 * server sees: a link brings it in its fragment, which is taken away before anything is loaded.
 */
export function storedToken(): string | null {
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
}

export function storeToken(token: string, isKept: boolean): void {
  forgetToken();
  (isKept ? localStorage : sessionStorage).setItem(KEY, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
}

/** Takes the token of a link like `/console#token=…`. */
export function takeTokenOfLink(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null || given === '') return;
  storeToken(given, false);
  history.replaceState(null, '', location.pathname + location.search);
}
