/** What `.editorconfig` says for every file. */
export const MAX_COLUMNS = 110;

/** Programs read these as they stand: a directive, a reference, a header of a routine. */
const FIXED = /biome-ignore|@ts-|<reference|^\s*-- (owner|needs):/;
/** Begins something of its own, to which a line before it must not flow. */
const BEGINS = /^\s*([-*+•>|#]\s|\d+[.)]\s|@|\||#|```|\$\d+\b|[A-Z][\w ]{0,24}: )/;
const LIST = /^\s*([-*+•] |\d+[.)] )/;
/** A title of a part of a file, with a line behind it. */
const RULER = /-{10,}$/;
/** A word; a code span and a link are one, with what stands close to them. */
const WORD = /(?:[^\s`[]*(?:`[^`]*`|\[[^\]]*\]\([^)]*\))[^\s`[]*)+|\S+/g;

/**
 * Breaks the comments of code, and the prose of a page, that are longer than `MAX_COLUMNS`. What is short
 * enough stays as it is. Code, texts in quotes, tables and fenced blocks stay too: the formatter breaks what
 * code can be broken.
 * @param path says what the text is: TypeScript, SQL, a Prisma schema or Markdown; others come back as they
 *   are
 */
export function wrapLines(path: string, text: string): string {
  const lines = text.split('\n');
  if (path.endsWith('.md')) return wrapPage(lines).join('\n');
  if (/\.(tsx?|mts|cjs|mjs)$/.test(path))
    return wrapRuns(openBlocks(lines), /^\s*(\/\/ |\* |-- )/).join('\n');
  if (/\.(sql|prisma)$/.test(path)) return wrapRuns(lines, /^\s*(--|\/\/\/?) /).join('\n');
  return text;
}

/** A block comment with a line that is too long gets its opening and its end on lines of their own. */
function openBlocks(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (let from = 0; from < lines.length; from++) {
    const first = lines[from] ?? '';
    const opening = /^(\s*)(\/\*\*?)( .*)?$/.exec(first);
    let to = from;
    if (opening !== null) while (to < lines.length - 1 && !(lines[to] ?? '').includes('*/')) to++;
    const block = lines.slice(from, to + 1);
    from = to;
    if (opening === null || !block.some((line) => line.length > MAX_COLUMNS && !FIXED.test(line))) {
      out.push(...block);
      continue;
    }
    const [, indent = '', mark = ''] = opening;
    const texts = block.map((line, index) =>
      (index === 0 ? line.slice(indent.length + mark.length) : line.replace(/^\s*\*(?!\/)/, '')).replace(
        /\s*\*\/$/,
        '',
      ),
    );
    if (texts[0] === '') texts.shift();
    if (texts.at(-1)?.trim() === '') texts.pop();
    out.push(`${indent}${mark}`, ...texts.map((line) => `${indent} *${line}`), `${indent} */`);
  }
  return out;
}

/** Wraps the lines that begin with such a mark, each run of equal marks by itself. */
function wrapRuns(lines: readonly string[], mark: RegExp): string[] {
  const out: string[] = [];
  for (let from = 0; from < lines.length; from++) {
    const prefix = mark.exec(lines[from] ?? '')?.[0];
    if (prefix === undefined) {
      out.push(lines[from] ?? '');
      continue;
    }
    let to = from;
    while (to < lines.length && (lines[to] ?? '').startsWith(prefix)) to++;
    out.push(
      ...wrapProse(
        lines.slice(from, to).map((line) => line.slice(prefix.length)),
        prefix,
      ),
    );
    from = to - 1;
  }
  return out;
}

/** Wraps a page between its fences, tables, headings and HTML. */
function wrapPage(lines: readonly string[]): string[] {
  const out: string[] = [];
  let fence = false;
  let prose: string[] = [];
  const flush = (): void => {
    out.push(...wrapProse(prose, ''));
    prose = [];
  };
  for (const line of lines) {
    const isFence = /^\s*```/.test(line);
    if (isFence || fence || /^\s*[|<#]|^\s*\[[^\]]+\]: /.test(line)) {
      flush();
      out.push(line);
      if (isFence) fence = !fence;
    } else prose.push(line);
  }
  flush();
  return out;
}

/**
 * Moves what is over the width to the line after it, or to a new one where that begins something of its own.
 */
function wrapProse(lines: readonly string[], prefix: string): string[] {
  const out: string[] = [];
  const rest = [...lines];
  let fence = false;
  for (let line = rest.shift(); line !== undefined; line = rest.shift()) {
    if (/^\s*```/.test(line)) fence = !fence;
    if (RULER.test(line)) {
      out.push(line.slice(0, MAX_COLUMNS - prefix.length));
      continue;
    }
    const cut = fence || FIXED.test(prefix + line) ? null : cutLine(line, MAX_COLUMNS - prefix.length);
    if (cut === null) {
      out.push(line);
      continue;
    }
    out.push(cut.kept);
    const next = rest[0];
    const indent = ' '.repeat(hangingIndent(line));
    const flows =
      next !== undefined && next.trim() !== '' && !BEGINS.test(next) && indentOf(next) === indent.length;
    if (flows) rest[0] = `${indent}${cut.over} ${next.trim()}`;
    else rest.unshift(`${indent}${cut.over}`);
  }
  return out.map((line) => prefix + line);
}

/** @returns what fits and what does not; null for a line that is short enough or has no place to break */
function cutLine(line: string, columns: number): { kept: string; over: string } | null {
  if (line.length <= columns || /\S {2,}\S/.test(line) || / {2}$|\\$/.test(line)) return null;
  const words = [...line.matchAll(WORD)];
  const first = LIST.test(line) ? 2 : 1;
  for (let count = words.length - 1; count >= first; count--) {
    const at = words[count]?.index ?? 0;
    const over = line.slice(at);
    const kept = line.slice(0, at).trimEnd();
    if (kept.length <= columns && !BEGINS.test(`${over} `)) return { kept, over };
  }
  return null;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Where the lines after this one begin that belong to the same item. */
function hangingIndent(line: string): number {
  const marker = LIST.exec(line)?.[0];
  if (marker !== undefined) return marker.length;
  return indentOf(line) + (/^\s*@/.test(line) ? 2 : 0);
}
