import type { Catalog, Column } from './catalog.ts';

/**
 * Differences between what schema.prisma declares and what the migrations made, one line each; empty when
 * they agree.
 */
export function compareCatalogs(declared: Catalog, migrated: Catalog): string[] {
  return [
    ...compareTables(declared, migrated),
    ...compareColumns(declared, migrated),
    ...compareKeys(declared, migrated),
  ];
}

function compareTables(declared: Catalog, migrated: Catalog): string[] {
  return [
    ...missing(migrated.tables, declared.tables).map((table) => `table ${table} is not in schema.prisma`),
    ...missing(declared.tables, migrated.tables).map((table) => `table ${table} is not in the database`),
  ];
}

function compareColumns(declared: Catalog, migrated: Catalog): string[] {
  const shared = (name: string) => {
    const table = name.slice(0, name.indexOf('.'));
    return declared.tables.has(table) && migrated.tables.has(table);
  };
  const problems: string[] = [];
  for (const [name, column] of migrated.columns) {
    if (!shared(name)) continue;
    const said = declared.columns.get(name);
    if (said === undefined) problems.push(`column ${name} is not in schema.prisma`);
    else problems.push(...compareColumn(name, said, column));
  }
  for (const name of declared.columns.keys()) {
    if (shared(name) && !migrated.columns.has(name)) problems.push(`column ${name} is not in the database`);
  }
  return problems;
}

function compareColumn(name: string, declared: Column, migrated: Column): string[] {
  const problems: string[] = [];
  const differs = (what: string, said: string, is: string) => {
    if (said !== is)
      problems.push(`column ${name}: ${what} is ${said} in schema.prisma and ${is} in the database`);
  };
  differs('type', declared.type, migrated.type);
  // Prisma has no word for a list that is NOT NULL.
  if (!migrated.type.endsWith('[]')) differs('nullability', nullability(declared), nullability(migrated));
  differs('default', defaultOf(declared), defaultOf(migrated));
  return problems;
}

function compareKeys(declared: Catalog, migrated: Catalog): string[] {
  return [
    ...missing(migrated.constraints, declared.constraints).map((key) => `${key} is not in schema.prisma`),
    ...missing(declared.constraints, migrated.constraints).map((key) => `${key} is not in the database`),
  ];
}

function missing(from: ReadonlySet<string>, present: ReadonlySet<string>): string[] {
  return [...from].filter((item) => !present.has(item));
}

function nullability(column: Column): string {
  return column.isNullable ? 'nullable' : 'not null';
}

function defaultOf(column: Column): string {
  return column.hasDefault ? 'present' : 'absent';
}
