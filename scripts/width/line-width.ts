import type { SourceFile } from '../checks/source-files.ts';
import { MAX_COLUMNS, wrapLines } from './wrap-lines.ts';

/** Made by programs, or never edited once landed. */
const EXEMPT =
  /\.gen\.|^(deploy\/postgres-roles\.sql|docs\/(configuration|states)\.md|prisma\/(migrations\/|schema-dump\.sql)|test\/db\/last-before-baseline\.sql)/;

/** Whether the lines of this file are held to the width. */
export function isWrapped(path: string): boolean {
  return !EXEMPT.test(path);
}

/**
 * Finds comments and prose beyond the width that could be broken. @returns one line for each, without the
 * file's name
 */
export function lineWidth({ path, text }: SourceFile): string[] {
  if (!isWrapped(path) || !text.split('\n').some((line) => line.length > MAX_COLUMNS)) return [];
  const lines = text.split('\n');
  const wrapped = new Set(wrapLines(path, text).split('\n'));
  return lines.flatMap((line, index) =>
    line.length > MAX_COLUMNS && !wrapped.has(line)
      ? [`line ${index + 1} has ${line.length} columns, at most ${MAX_COLUMNS} are allowed: npm run wrap`]
      : [],
  );
}
