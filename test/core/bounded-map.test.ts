import { expect, test } from 'vitest';
import { BoundedMap } from '../../src/core/bounded-map.ts';
import { MadeOnce } from '../../src/core/made-once.ts';
import { isSecretField } from '../../src/core/redaction/secret-name.ts';

test('a bounded map drops the entry that was set first, and one that is set again counts as new', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});

test('a value that is made once is kept while others come, up to the bound', () => {
  const made: string[] = [];
  const values = new MadeOnce<{ readonly key: string }>(2);
  const get = (key: string) =>
    values.get(key, () => {
      made.push(key);
      return { key };
    });
  for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) expect(get(key)).toEqual({ key });
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});

test('names that somebody makes up leave no more behind than the bound, and change no verdict', () => {
  for (let nth = 0; nth < 5_000; nth++) expect(isSecretField(`field_${nth}`)).toBe(false);
  expect(isSecretField('access_token')).toBe(true);
});
