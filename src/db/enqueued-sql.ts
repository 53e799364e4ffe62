import { ENQUEUED_COLUMNS, type EnqueuedColumn, type StoredAliases } from './enqueued-columns.ts';

const COLUMNS: readonly EnqueuedColumn[] = ENQUEUED_COLUMNS;

/** Each column with what is stored there. */
function storedOf(given: (column: EnqueuedColumn) => string, alias: StoredAliases): [string, string][] {
  return COLUMNS.flatMap((column) => {
    const { name, stored = (value: string) => value, beside } = column;
    const value = given(column);
    const own: [string, string] = [name, stored(value, alias)];
    return beside === undefined ? [own] : [own, [beside.name, beside.stored(value, alias)]];
  });
}

/** Names of all columns that an enqueue may give, for an INSERT, each with `prefix` before it. */
export function enqueuedNames(prefix = ''): string {
  return storedOf(() => '', { clock: '', definition: '' })
    .map(([name]) => prefix + name)
    .join(', ');
}

/** What one job stores there, given as parameters from number `first` on. */
export function valuesOfParameters(first: number, alias: StoredAliases): string {
  return listed(storedOf((column) => parameterOf(column.name, first), alias));
}

/**
 * What a row of `unnestedColumns` stores there. @param row its name @param named true for each value under
 * its column's name
 */
export function valuesOfRow(row: string, alias: StoredAliases, named = false): string {
  const given = ({ name, type }: EnqueuedColumn): string =>
    travelsAsText(type) ? `${row}.${name}::${type}` : `${row}.${name}`;
  return listed(storedOf(given, alias), named);
}

/**
 * Many jobs: each value is a parameter with an array, from number `first` on. Postgres would flatten an array
 * of arrays.
 */
export function unnestedColumns(first: number): string {
  return COLUMNS.map(
    ({ type }, at) => `unnest($${first + at}::${travelsAsText(type) ? 'text' : type}[])`,
  ).join(', ');
}

/** The names of what `unnestedColumns` gives. */
export const UNNESTED_NAMES = COLUMNS.map(({ name }) => name).join(', ');

/** The parameter that gives a column's value to one job, as its type. */
export function parameterOf(name: EnqueuedColumn['name'], first: number): string {
  const at = COLUMNS.findIndex((column) => column.name === name);
  return `$${first + at}::${COLUMNS[at]?.type}`;
}

/** The parameter that gives a column's values to many. */
export function arrayParameterOf(name: EnqueuedColumn['name'], first: number): string {
  return `${parameterOf(name, first)}[]`;
}

function travelsAsText(type: EnqueuedColumn['type']): boolean {
  return type === 'text[]' || type === 'jsonb';
}

function listed(stored: readonly [string, string][], named = false): string {
  return stored.map(([name, value]) => (named ? `${value} as ${name}` : value)).join(', ');
}
