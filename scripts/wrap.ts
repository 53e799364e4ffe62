import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSourceFiles } from './checks/source-files.ts';
import { isWrapped } from './width/line-width.ts';
import { wrapLines } from './width/wrap-lines.ts';

// Breaks the comments and the prose that are longer than `.editorconfig` says: `npm run wrap`.
const root = resolve(import.meta.dirname, '..');
let count = 0;
for (const { path, text } of readSourceFiles(root).filter(({ path }) => isWrapped(path))) {
  const wrapped = wrapLines(path, text);
  if (wrapped === text) continue;
  writeFileSync(join(root, path), wrapped);
  count++;
}
process.stdout.write(`${count} files wrapped\n`);
