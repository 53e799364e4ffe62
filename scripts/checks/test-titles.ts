import type { SourceFile } from './source-files.ts';

/** Fewer make no sentence: a subject, a verb and what the verb is about. */
const MIN_WORDS = 4;
/** `describe('…'`, `it.each(TABLE)('…'`, and the end of a table that is written out: `])('…'`. */
const TITLE =
  /^( *)(?:(describe|it|test)(?:\.\w+)*(?:\([^'"`\n]*\))?|\]\))\(\s*(['"`])((?:\\.|(?!\3)[^\\])*)\3/gm;

/** Finds tests whose title, with those of their groups, is no sentence. @returns one line for each */
export function testTitles({ path, text }: SourceFile): string[] {
  if (!path.startsWith('test/') || !path.endsWith('.test.ts')) return [];
  const groups: { indent: number; title: string }[] = [];
  const problems: string[] = [];
  for (const match of text.matchAll(TITLE)) {
    const [, { length: indent } = '', kind = tableKind(text, match.index), , title = ''] = match;
    while ((groups.at(-1)?.indent ?? -1) >= indent) groups.pop();
    if (kind === 'describe') {
      groups.push({ indent, title });
      continue;
    }
    const full = [...groups.map((group) => group.title), title].join(' ').trim();
    const line = text.slice(0, match.index).split('\n').length;
    // A placeholder may stand for all the rest, which the table says.
    if (!/%[sdijo]|\$\w/.test(full) && full.split(/\s+/).length < MIN_WORDS)
      problems.push(`line ${line} has the title "${full}"; a title is a whole sentence`);
  }
  return problems;
}

/** What the table whose end is at `at` belongs to. */
function tableKind(text: string, at: number): string {
  return /.*\b(describe|it|test)\.each\(/s.exec(text.slice(0, at))?.[1] ?? 'test';
}
