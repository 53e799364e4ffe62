/**
 * Where browsers find a path of this server: below the path of its public URL, where a proxy takes that away.
 * @param path with a slash before it and none after it
 */
export function publicPath(publicUrl: string | null, path: string): string {
  const before = publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  return `${before}${path}`;
}
