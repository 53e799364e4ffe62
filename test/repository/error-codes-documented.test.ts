import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ERROR_TABLE } from '../../src/core/error-table.ts';
import { enumName } from '../../src/graphql/enum-name.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Rows of the tables of a page, as cells. */
function rowsOf(page: string): string[][] {
  return read(page)
    .split('\n')
    .filter((line) => line.startsWith('| `') || /^\| [a-z]/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const wordsOf = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([A-Z_]{4,})`/g)].map(([, word]) => word ?? '');

/** What source text names as the code of an error. */
function codesInSource(): string[] {
  const files = globSync('src/{graphql,http}/**/*.ts', { cwd: new URL('../..', import.meta.url) });
  const named = /(?:code: |limitError\(\s*|\bcode = )'([A-Z_]{4,})'|isAway \? '([A-Z]+)' : '([A-Z]+)'/g;
  return files.flatMap((file) =>
    [...read(file).matchAll(named)].flatMap(([, ...codes]) => codes.filter((code) => code !== undefined)),
  );
}

describe('the page about errors', () => {
  const rows = rowsOf('docs/errors.md').filter(([first]) => /^`[A-Z_]+`/.test(first ?? ''));
  const documented = rows.flatMap(([first]) => wordsOf(first));

  test('has each expected failure once, with its status, and whether to try again', () => {
    const expected = Object.entries(ERROR_TABLE)
      .filter(([, { status }]) => status !== 500)
      .map(([code, { status }]) => [enumName(code), String(status)]);
    const shown = rows.filter((row) => row.length === 5).map(([code, status]) => [wordsOf(code)[0], status]);
    expect(shown.toSorted()).toEqual(expected.toSorted());
    for (const row of rows) {
      expect(['no', 'later', 'renew', 'read']).toContain(row.length === 5 ? row[3] : row[2]);
      if (row.length === 5) expect(row[4]).toMatch(/^`.+`$/);
    }
    expect(new Set(documented).size).toBe(documented.length);
  });

  test('has each code that GraphQL and its transports answer with', () => {
    const found = new Set(codesInSource());
    expect(found.size).toBeGreaterThan(20);
    expect([...found].filter((code) => !documented.includes(code))).toEqual([]);
  });
});

describe('the page about protection', () => {
  const rows = rowsOf('docs/protection.md').filter((row) => row.length === 4);
  const settings = rows.flatMap(([, value, setting]) => {
    const [, name] = /`(MILLRACE_[A-Z_]+)`/.exec(setting ?? '') ?? [];
    return name === undefined ? [] : [[name, value ?? ''] as const];
  });

  test.each(settings)('says what %s is by default', (name, shown) => {
    const table = rowsOf('docs/configuration.md').find(([setting]) => setting === `\`${name}\``);
    const value = Number(/\d+/.exec(table?.[1] ?? '')?.[0]);
    const [, number = '', unit = ''] = /^([\d,]+)( [MK]iB)?/.exec(shown) ?? [];
    const factor = unit === ' MiB' ? 2 ** 20 : unit === ' KiB' ? 2 ** 10 : 1;
    expect(Number(number.replaceAll(',', '')) * factor).toBe(value);
  });

  test('names only codes that the page about errors explains', () => {
    const known = rowsOf('docs/errors.md').flatMap(([first]) => wordsOf(first));
    const named = rows.flatMap(([, , , code]) => wordsOf(code));
    expect(settings.length).toBeGreaterThan(10);
    expect(named.filter((code) => !known.includes(code))).toEqual([]);
  });
});
