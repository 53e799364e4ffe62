import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** A file of the repository: its path from the root with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const SKIPPED_FOLDERS = new Set([
  'node_modules',
  '.git',
  '.millrace',
  '.tmp',
  'coverage',
  'dist',
  'generated',
]);
const TEXT_FILE =
  /(\.(tsx?|cjs|mjs|js|json|ya?ml|md|sql|prisma|graphql|html|css|sh)|(^|\/)(\.npmrc|Dockerfile|run))$/;

/** Reads every text file under `root` but installed, generated and data folders; sorted by path. */
export function readSourceFiles(root: string): SourceFile[] {
  const files: SourceFile[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const place = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name)) walk(place);
      } else if (entry.isFile() && TEXT_FILE.test(place.split(sep).join('/'))) {
        files.push({ path: relative(root, place).split(sep).join('/'), text: readFileSync(place, 'utf8') });
      }
    }
  };
  walk(root);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
