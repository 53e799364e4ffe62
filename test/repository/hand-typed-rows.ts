import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Tables with their columns, as `schema.prisma` has them. */
export type Tables = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads models: a field is named in camel case and its column in snake case, as `@map` says. */
export function tablesOf(schema: string): Tables {
  const models = [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)];
  const names = new Set(models.map(([, name]) => name));
  return new Map(
    models.map(([, name = '', body = '']) => {
      const fields = [...body.matchAll(/^ {2}(\w+) +(\w+)(.*)$/gm)].filter(([, , type]) => !names.has(type));
      const columns = fields.map(([, field = '', , rest = '']) => mapped(rest) ?? field);
      return [/@@map\("([^"]+)"\)/.exec(body)?.[1] ?? name, new Set(columns)];
    }),
  );
}

function mapped(attributes: string): string | undefined {
  return /@map\("([^"]+)"\)/.exec(attributes)?.[1];
}

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/**
 * Columns of tables whose types somebody wrote by hand in the row of a statement: a column that is renamed or
 * retyped would break nothing there. What a statement makes itself (`… as name`) is written by hand, as it is
 * no column.
 * @param statements files with one statement each
 * @param users files that read with them
 */
export function handTypedColumns(
  tables: Tables,
  statements: readonly SourceText[],
  users: readonly SourceText[],
): readonly string[] {
  const byName = new Map(statements.map((file) => [nameOf(file.path), file.text]));
  const found: string[] = [];
  const look = (path: string, sql: string, head: string, members: string, row: string) => {
    const columns = columnsNamed(tables, sql);
    for (const [, name = ''] of members.matchAll(/(?:^|[;{\n])\s*(?:readonly )?(\w+)\??: (?!null(?! \|))/g)) {
      // What the statement makes itself, or has from a list of values: `as t (id)`.
      const isExpression = new RegExp(`\\bas ("?|\\w+ \\([^)]*\\b)${name}\\b`).test(sql);
      // One that the model's column gives its type to may be narrowed: `'queued' | 'ready'` of a text.
      const isNarrowed = head.includes(`'${name}'`);
      if (columns.has(name) && !isExpression && !isNarrowed) found.push(`${path}: ${row} has ${name}`);
    }
  };
  for (const { path, text } of statements)
    for (const declared of text.matchAll(/(?:interface|type) (\w*Row)\b([^{;]*)\{/g)) {
      const [all, row = '', head = ''] = declared;
      look(path, text, head, ownMembers(text.slice(declared.index + all.length)), row);
    }
  for (const { path, text } of users)
    for (const [, members = '', name = ''] of text.matchAll(
      /\.(?:query|asWorker)<\s*\{([^}]*)\}\s*>\(\s*(\w+)/g,
    )) {
      const sql = byName.get(name.replace(/Statement$/, ''));
      if (sql !== undefined) look(path, sql, '', members, `the row of ${name}`);
    }
  return found;
}

/** What stands in the braces that are open at the start, without what lies in further ones. */
function ownMembers(text: string): string {
  let depth = 1;
  let own = '';
  for (const character of text) {
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (depth === 0) break;
    if (depth === 1) own += character;
  }
  return own;
}

function columnsNamed(tables: Tables, sql: string): ReadonlySet<string> {
  const named = [...sql.matchAll(/millrace\.(\w+)/g)].map(([, table = '']) => table);
  return new Set(named.flatMap((table) => [...(tables.get(table) ?? [])]));
}

function nameOf(path: string): string {
  return basename(path, '.ts').replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function read(path: string): SourceText {
  return { path, text: readFileSync(path, 'utf8') };
}
