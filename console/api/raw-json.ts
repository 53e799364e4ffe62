/** Where a value that begins at `at` ends. */
function endOf(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const character = json[at];
    if (character === '"') {
      at = endOfText(json, at);
      if (depth === 0) return at + 1;
    } else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (character === ',' || character === ' ' || character === '\n')) return at;
  }
  return json.length;
}

/** The place of the closing quote of the text that begins at `at`. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

function skipSpace(json: string, start: number): number {
  let at = start;
  while (at < json.length && /\s/.test(json[at] ?? '')) at++;
  return at;
}

/** The fields of an object in valid JSON, each as it is written; null when it is no object. */
function fieldsOf(json: string): ReadonlyMap<string, string> | null {
  let at = skipSpace(json, 0);
  if (json[at] !== '{') return null;
  const fields = new Map<string, string>();
  at = skipSpace(json, at + 1);
  while (json[at] === '"') {
    const end = endOfText(json, at);
    const name = JSON.parse(json.slice(at, end + 1)) as string;
    at = skipSpace(json, skipSpace(json, end + 1) + 1);
    const valueEnd = endOf(json, at);
    fields.set(name, json.slice(at, valueEnd));
    at = skipSpace(json, valueEnd);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return fields;
}

/** The fields of the object at a path, each as it is written. */
export function rawValues(json: string, path: readonly string[]): ReadonlyMap<string, string> | null {
  const fields = fieldsOf(json);
  const [name, ...rest] = path;
  if (name === undefined || fields === null) return fields;
  const value = fields.get(name);
  return value === undefined ? null : rawValues(value, rest);
}

/** Lays valid JSON out in lines, without reading any value of it. */
export function layOut(json: string): string {
  const pieces: string[] = [];
  let depth = 0;
  const newLine = (): void => {
    pieces.push(`\n${'  '.repeat(depth)}`);
  };
  for (let at = 0; at < json.length; at++) {
    const character = json[at] ?? '';
    if (character === '"') {
      const end = endOfText(json, at);
      pieces.push(json.slice(at, end + 1));
      at = end;
    } else if (character === '{' || character === '[') {
      const next = skipSpace(json, at + 1);
      if (json[next] === '}' || json[next] === ']') {
        pieces.push(character, json[next] ?? '');
        at = next;
        continue;
      }
      depth++;
      pieces.push(character);
      newLine();
    } else if (character === '}' || character === ']') {
      depth--;
      newLine();
      pieces.push(character);
    } else if (character === ',') {
      pieces.push(character);
      newLine();
    } else if (character === ':') pieces.push(': ');
    else if (!/\s/.test(character)) pieces.push(character);
  }
  return pieces.join('');
}
