import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../../', import.meta.url).pathname;
const MIN_LENGTH = 50;
const MAX_LENGTH = 300;
const MIN_WORDS = 8;

/**
 * Real texts of people: paragraphs of the documentation of every installed package, and what comments of
 * declarations say, each once. The same ones in the same order for the same installation.
 * @returns at most `count`
 */
export function findTexts(count: number): readonly string[] {
  const texts = new Set<string>();
  const add = (text: string) => {
    for (const piece of piecesOf(text.replaceAll(/\s+/g, ' ').trim())) {
      if (texts.size >= count) return;
      const isProse = /^[\x20-\x7e]+$/.test(piece) && piece.split(' ').length >= MIN_WORDS;
      if (piece.length >= MIN_LENGTH && isProse && !/[{}|<>=;]{3}/.test(piece)) texts.add(piece);
    }
  };
  const files = [
    'node_modules/**/*.md',
    'node_modules/**/*.d.{ts,mts,cts}',
    'node_modules/**/*.{js,mjs,cjs,ts}',
  ]
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT, withFileTypes: true }))
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const path of files) {
    if (texts.size >= count) break;
    const content = readFileSync(path, 'utf8').slice(0, 2_000_000);
    if (path.endsWith('.md')) content.split(/\n\s*\n/).forEach(add);
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

/** A long paragraph in pieces of whole sentences. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (const sentence of text.split(/(?<=[.!?]) (?=[A-Z])/)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + sentence.length < MAX_LENGTH)
      pieces[pieces.length - 1] = `${last} ${sentence}`;
    else pieces.push(sentence.slice(0, MAX_LENGTH));
  }
  return pieces;
}
