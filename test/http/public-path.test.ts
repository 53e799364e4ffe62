import { expect, test } from 'vitest';
import { ownPath, publicPath } from '../../src/http/public-path.ts';

test('a path below that of the public URL is the same whether a proxy removes that or leaves it', () => {
  const url = 'https://example.com/jobs-of/acme/';
  expect(publicPath(url, '/console')).toBe('/jobs-of/acme/console');
  for (const path of ['/console/jobs?tag=a', '/jobs-of/acme/console/jobs?tag=a'])
    expect(ownPath(url, path)).toBe('/console/jobs?tag=a');
  expect(ownPath(url, '/jobs-of/acme-2/console')).toBe('/jobs-of/acme-2/console');
  expect(ownPath(null, '/jobs-of/acme/console')).toBe('/jobs-of/acme/console');
  // Such a prefix could be a path of the server itself: it is left as it is.
  expect(ownPath('https://example.com/api', '/api/v1/jobs')).toBe('/api/v1/jobs');
});
