import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSourceProblems } from '../../scripts/checks/source-rules.ts';
import { lineWidth } from '../../scripts/width/line-width.ts';
import { MAX_COLUMNS, wrapLines } from '../../scripts/width/wrap-lines.ts';
import { repository } from './planted.ts';

const LONG = 'word '.repeat(40).trim();
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

describe('the width of lines', () => {
  it('is the one that .editorconfig says', () => {
    const config = readFileSync(join(repository, '.editorconfig'), 'utf8');
    expect(/^max_line_length = (\d+)$/m.exec(config)?.[1]).toBe(String(MAX_COLUMNS));
  });

  it.each([
    ['a block comment', 'src/a.ts', `/** ${LONG} */\nconst one = 1;\n`],
    ['a comment of a line', 'src/a.ts', `  // ${LONG}\n`],
    ['a comment of SQL', 'prisma/routines/a.sql', `-- ${LONG}\nselect 1;\n`],
    ['a page', 'docs/a.md', `${LONG}\n`],
    ['an item of a list', 'docs/a.md', `- ${LONG}\n- two\n`],
  ])('refuses %s that is longer, with the line, and breaks it', (_what, path, text) => {
    expect(lineWidth({ path, text })).toEqual([
      expect.stringMatching(/^line 1 has \d+ columns, at most 110/),
    ]);
    const wrapped = wrapLines(path, text);
    expect(widest(wrapped)).toBeLessThanOrEqual(MAX_COLUMNS);
    expect(lineWidth({ path, text: wrapped })).toEqual([]);
    const words = (of: string) =>
      of
        .replace(/[/*-]|\s+/g, ' ')
        .split(/ +/)
        .filter(Boolean);
    expect(words(wrapped)).toEqual(words(text));
  });

  it.each([
    ['a text in quotes', 'src/a.ts', `const one = '${LONG}';\n`],
    ['a table', 'docs/a.md', `| ${LONG} |\n`],
    ['a fenced block', 'docs/a.md', `\`\`\`\n${LONG}\n\`\`\`\n`],
    ['one long word', 'docs/a.md', `${'x'.repeat(150)}\n`],
    ['a directive', 'src/a.ts', `// biome-ignore lint/x/y: ${LONG}\n`],
    ['the parents of a routine', 'prisma/routines/a.sql', `-- needs: ${LONG}\n`],
  ])('lets %s be, which cannot be broken', (_what, path, text) => {
    expect(lineWidth({ path, text })).toEqual([]);
    expect(wrapLines(path, text)).toBe(text);
  });

  it('moves what is over to the next line, but not into an item or a label of its own', () => {
    const text = `/**\n * ${LONG}\n * and more\n * @param one of them\n */\n`;
    expect(wrapLines('src/a.ts', text).split('\n').slice(2)).toEqual([
      expect.stringMatching(/^ \* word .* and more$/),
      ' * @param one of them',
      ' */',
      '',
    ]);
  });

  it('is one of the rules that the check of the sources runs', () => {
    expect(findSourceProblems([{ path: 'docs/a.md', text: `${LONG}\n` }])).toHaveLength(1);
  });
});
