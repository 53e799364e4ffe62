/**
 * Where browsers find a path of this server: below the path of its public URL, where a proxy takes that away.
 * @param path with a slash before it and none after it
 */
export function publicPath(publicUrl: string | null, path: string): string {
  return `${pathBefore(publicUrl)}${path}`;
}

/**
 * First parts of this server's own paths: where one is also that of the public URL, a proxy has to take it
 * away.
 */
const OWN = /^\/(?:api|clips|console|files|graphql|health|hooks|metrics|uploads)(?:[/?]|$)/;

/**
 * The path that a request is for: where a proxy has left that of the public URL before it, without that.
 * @param url path and query, as they came in
 */
export function ownPath(publicUrl: string | null, url: string): string {
  const before = pathBefore(publicUrl);
  if (before === '' || OWN.test(url) || !url.startsWith(`${before}/`)) return url;
  return url.slice(before.length);
}

function pathBefore(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
}
