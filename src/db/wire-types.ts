import pg from 'pg';
import { parseJson } from '../core/parse-json.ts';

/**
 * How texts of the server become values, as the driver has it but for JSON (`parseJson`), and for three types
 * that it looks at closely though the server writes them in one way: that the digits of a bigint are digits,
 * and which of eight spellings a boolean has. It is a tenth of what the rows of a claim take to read.
 */
export const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : PARSERS.get(oid)) ??
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

const { BOOL, INT4, INT8, JSON: JSON_TEXT, JSONB } = pg.types.builtins;

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => text === 't'],
  [INT4, Number],
  // Still a text: it may be more than a number holds.
  [INT8, (text) => text],
  [JSON_TEXT, parseJson],
  [JSONB, parseJson],
]);
