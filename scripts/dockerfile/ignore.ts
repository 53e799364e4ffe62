/**
 * Whether a path of the build context is left out by a .dockerignore: the last pattern that matches it or a
 * folder above it decides; `!` takes back in. Understands `*`, `?` and `**`, as far as such files use them.
 */
export function ignoredBy(dockerignore: string): (path: string) => boolean {
  const rules = dockerignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const excluded = !line.startsWith('!');
      return { excluded, pattern: toPattern(line.replace(/^!/, '').replace(/^\/|\/$/g, '')) };
    });
  return (path) =>
    rules.reduce((ignored, { excluded, pattern }) => (pattern.test(path) ? excluded : ignored), false);
}

function toPattern(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '\u0000')
    .replaceAll('**', '.*')
    .replace(/(?<!\.)\*/g, '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\u0000', '(?:.*/)?');
  return new RegExp(`^${source}(?:/.*)?$`);
}
