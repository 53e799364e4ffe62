import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../../', import.meta.url).pathname;
const MIN_LENGTH = 80;
const MAX_LENGTH = 400;

/**
 * Real texts of people: paragraphs of the documentation of every installed package and of this one, and what comments of declarations say, each
 * once. The same ones in the same order for the same installation.
 * @returns at most `count`
 */
export function findTexts(count: number): readonly string[] {
  const texts = new Set<string>();
  const add = (text: string) => {
    const tidy = text.replaceAll(/\s+/g, ' ').trim();
    if (tidy.length < MIN_LENGTH || texts.size >= count) return;
    if (!/^[\x20-\x7e]+$/.test(tidy) || tidy.split(' ').length < 10 || /[{}|<>=;]{3}/.test(tidy)) return;
    texts.add(tidy.slice(0, MAX_LENGTH));
  };
  for (const path of [
    'docs/**/*.md',
    'node_modules/**/*.md',
    'node_modules/**/*.d.ts',
    'node_modules/**/*.js',
  ].flatMap((pattern) => globSync(pattern, { cwd: ROOT }).sort())) {
    if (texts.size >= count) break;
    const content = readFileSync(join(ROOT, path), 'utf8').slice(0, 2_000_000);
    if (path.endsWith('.md')) for (const paragraph of content.split(/\n\s*\n/)) add(paragraph);
    else
      for (const [, comment = ''] of content.matchAll(/\/\*\*([\s\S]{60,3000}?)\*\//g))
        sentencesOf(comment).forEach(add);
  }
  return [...texts];
}

/** What stands in a comment, without its stars, parts of it by its tags. */
function sentencesOf(comment: string): readonly string[] {
  return comment
    .replaceAll(/^\s*\* ?/gm, '')
    .split(/\n\s*\n|^@\w+/m)
    .map((part) => part.trim());
}
