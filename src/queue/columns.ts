/** A value of a row, as a statement takes it. */
export type Value = string | number | Date;

/** The parameter of an array: as Postgres reads one, or for the driver to write out. */
export type Column = readonly (Value | null)[] | string | null;

/**
 * One value of each row as an array. Null where no row has one: most rows use few of the columns, and `unnest` fills the missing ones
 * up. Texts and numbers are written out here, which the driver does too, but several times slower.
 */
export function column<Row>(rows: readonly Row[], of: (row: Row) => Value | null | undefined): Column {
  const values = rows.map((row) => of(row) ?? null);
  return values.every((value) => value === null) ? null : written(values);
}

/** The one value of all rows, where it is the same: written once, and read once by the database. */
export function sharedColumn<Row>(rows: readonly Row[], of: (row: Row) => Value | null | undefined): Column {
  const values = rows.map((row) => of(row) ?? null);
  const [first = null] = values;
  if (!values.every((value) => value === first)) return written(values);
  return first === null ? null : written([first]);
}

function written(values: readonly (Value | null)[]): Column {
  // Dates are left to the driver, which knows years of five digits.
  return values.some((value) => value instanceof Date) ? values : `{${values.map(element).join(',')}}`;
}

function element(value: Value | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  const text = value as string;
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}
