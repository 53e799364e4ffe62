/** A value of a row, as a statement takes it. */
export type Value = string | number | Date;

/** The parameter of an array: as Postgres reads one, or for the driver to write out. */
export type Column = readonly (Value | null)[] | string | null;

/**
 * One value of each row as an array. Null where no row has one: most rows use few of the columns, and
 * `unnest` fills the missing ones up. Texts and numbers are written out here, which the driver does too, but
 * several times slower.
 */
export function column<Row>(rows: readonly Row[], of: (row: Row) => Value | null | undefined): Column {
  // Looked at before any list is made: a bulk call has some fifteen columns that nobody uses.
  return rows.some((row) => of(row) != null) ? written(rows.map((row) => of(row) ?? null)) : null;
}

/** Texts as Postgres reads an array of them. */
export function textArray(texts: readonly string[]): string {
  return `{${texts.map(element).join(',')}}`;
}

/** Ids of the rows, which need no quotes. */
export function idColumn<Row>(rows: readonly Row[], of: (row: Row) => string): Column {
  return `{${rows.map(of).join(',')}}`;
}

/** The one value of all rows, where it is the same: written once, and read once by the database. */
export function sharedColumn<Row>(rows: readonly Row[], of: (row: Row) => Value | null | undefined): Column {
  const first = rows[0] === undefined ? null : (of(rows[0]) ?? null);
  if (!rows.every((row) => (of(row) ?? null) === first)) return written(rows.map((row) => of(row) ?? null));
  return first === null ? null : written([first]);
}

function written(values: readonly (Value | null)[]): Column {
  let text = '{';
  // By index: called once for hundreds of values, it stays slow code for long, in which an iterator makes an
  // object of each.
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as Value | null;
    // Dates are left to the driver, which knows years of five digits.
    if (value instanceof Date) return values;
    text += at === 0 ? element(value) : `,${element(value)}`;
  }
  return `${text}}`;
}

function element(value: Value | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  const text = value as string;
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}
