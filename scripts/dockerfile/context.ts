import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { ignoredBy } from './ignore.ts';

/** The build context: a folder of which only what the .dockerignore lets through can be copied. */
export interface BuildContext {
  /** @throws Error when nothing of that name is in the context */
  copy(source: string, target: string): void;
}

/**
 * Never looked into, whatever the .dockerignore says: they would make a wrong file slow instead of visible.
 */
const HUGE = new Set(['node_modules', '.git', '.millrace']);

export function openContext(folder: string): BuildContext {
  const ignoreFile = join(folder, '.dockerignore');
  const isIgnored = ignoredBy(existsSync(ignoreFile) ? readFileSync(ignoreFile, 'utf8') : '');
  return {
    copy(source, target) {
      let copied = 0;
      const visit = (from: string, to: string): void => {
        if (statSync(from).isDirectory()) {
          if (HUGE.has(basename(from))) return;
          for (const name of readdirSync(from)) visit(join(from, name), join(to, name));
        } else if (!isIgnored(relative(folder, from).split(sep).join('/'))) {
          mkdirSync(dirname(to), { recursive: true });
          copyFileSync(from, to);
          copied++;
        }
      };
      const from = join(folder, source);
      if (existsSync(from)) visit(from, target);
      if (copied === 0) throw new Error(`COPY ${source}: not in the build context (see .dockerignore)`);
    },
  };
}

/** Copies between stages; links stay links, as in an image. */
export function copyTree(source: string, target: string): void {
  if (!existsSync(source)) throw new Error(`COPY --from: ${source} was not made by that stage`);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target, { recursive: true, verbatimSymlinks: true });
}
