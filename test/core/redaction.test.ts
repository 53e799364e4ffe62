import { describe, expect, test } from 'vitest';
import { redact } from '../../src/core/redaction/redact.ts';
import { redactText } from '../../src/core/redaction/redact-text.ts';
import { isSecretField } from '../../src/core/redaction/secret-name.ts';
import { threadCpuMs } from '../support/thread-cpu.ts';

test.each([
  'access_token',
  'refreshToken',
  'X-Api-Key',
  'DB_PASSWORD',
  'client_secret',
  'Authorization',
  'set-cookie',
  'awsSecretAccessKey',
  'private_key',
  'connection-string',
  'DATABASE_URL',
  'leaseToken',
  'PGPASSWORD',
  'credentials',
  'apiKeys',
])('%s names a secret', (name) => {
  expect(isSecretField(name, 'x')).toBe(true);
});

test.each([
  'tokenCount',
  'maxTokens',
  'author',
  'key',
  'dedupeKey',
  'secretary',
  'passenger',
  'bypassed',
  'tokenizer',
])('%s names no secret', (name) => {
  expect(isSecretField(name, 5)).toBe(false);
});

test('a number under a plural name is a count', () => {
  expect(redact({ tokens: 512, cookies: ['a'] })).toEqual({ tokens: 512, cookies: '•••' });
});

test('secrets are replaced at any depth, in lists, errors and what toJSON gives', () => {
  const deep = (levels: number, leaf: object): object =>
    levels === 0 ? leaf : { next: deep(levels - 1, leaf) };
  expect(JSON.stringify(redact(deep(40, { access_token: 's1', kept: 'yes' })))).toContain(
    '{"access_token":"•••","kept":"yes"}',
  );
  expect(JSON.stringify(redact(deep(5_000, { password: 's1' })))).not.toContain('s1');
  const error = Object.assign(new Error('postgres://app:hidden@db/x is away'), {
    config: { headers: { authorization: 's2' } },
  });
  const shown = JSON.stringify(
    redact({ list: [{ secret: 's3' }, { toJSON: () => ({ password: 's4' }) }], err: error }),
  );
  expect(shown).not.toMatch(/s[234]|hidden/);
  expect(shown).toContain('postgres://app:•••@db/x is away');
  expect(redact(error, 'brief')).toEqual({ name: 'Error', message: 'postgres://app:•••@db/x is away' });
});

test('what cannot be read is said, and never thrown', () => {
  const circle: Record<string, unknown> = { at: new Date(0), big: 3n, bytes: Buffer.from('abc') };
  circle['self'] = circle;
  Object.defineProperty(circle, 'trap', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(redact({ circle, proxy, __proto__: null })).toEqual({
    circle: {
      at: '1970-01-01T00:00:00.000Z',
      big: '3',
      bytes: '[3 bytes]',
      self: '[not JSON: a circle]',
      trap: '[not JSON: unreadable]',
    },
    proxy: '[not JSON: unreadable]',
  });
});

describe('texts', () => {
  test.each([
    ['amqp://user:pa:ss@host/x and redis://:pw@r', 'amqp://user:•••@host/x and redis://:•••@r'],
    ['GET https://x.example/a?access_token=abc&n=1', 'GET https://x.example/a?access_token=•••&n=1'],
    ['host=db password=abc dbname=x', 'host=db password=••• dbname=x'],
    ['Authorization: Bearer eyJhbGciOi.J9.x', 'Authorization: Bearer •••'],
    ['http://host:5432/path@x and a=b', 'http://host:5432/path@x and a=b'],
  ])('%s', (text, shown) => {
    expect(redactText(text)).toBe(shown);
  });

  test('the time grows with the length alone, whatever the text', () => {
    const timeOf = (text: string): number => {
      const startMs = threadCpuMs();
      redactText(text);
      return threadCpuMs() - startMs;
    };
    for (const piece of [
      '://',
      '://a:',
      'a=',
      '=',
      'Bearer ',
      'a.',
      ' ',
      '?a',
      'x'.repeat(70),
      '@',
      'a:b@',
      'Basic Basic ',
    ]) {
      const text = `=://Bearer ${piece}`.padEnd(1_000_000, piece);
      expect(timeOf(text), JSON.stringify(piece)).toBeLessThan(3_000);
    }
  });
});
