import { endOfString } from './json-strings.ts';

const [QUOTE, COLON, COMMA] = [0x22, 0x3a, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

const native = JSON.parse as (text: string) => unknown;

/**
 * What JSON.parse should make of a text. In V8 13 and 14 it may take a key that is written with a backslash
 * for another one: `{"h":1,"\n":2}` becomes `{"h":1,"\\":2}` once any text of the process had the key `\`
 * behind an `h` (nodejs/node#63785), a text of another tenant among them. Texts without such a key, nearly
 * all, are read by JSON.parse.
 * @throws SyntaxError as JSON.parse has it
 */
export function parseJson(json: string): unknown {
  const value = native(json);
  return hasEscapedKey(json) ? readAgain(json) : value;
}

/**
 * Whether a key of a valid JSON text is written with a backslash. Looks at the ends of the strings that have
 * one.
 */
function hasEscapedKey(json: string): boolean {
  for (let at = json.indexOf('\\'); at !== -1; at = json.indexOf('\\', at)) {
    // The backslash is the first one of its string.
    at = afterBlanks(json, endOfString(json, at - 1) + 1);
    if (json.charCodeAt(at) === COLON) return true;
  }
  return false;
}

interface Open {
  readonly value: unknown[] | Record<string, unknown>;
  /** The key of the member that is being read; null between two, and in a list. */
  key: string | null;
}

/**
 * Reads a text that JSON.parse has found to be valid. Strings that are values, numbers and words are its own
 * to read: they are safe.
 */
function readAgain(json: string): unknown {
  const root: unknown[] = [];
  const open: Open[] = [{ value: root, key: null }];
  for (let at = 0; at < json.length; at++) {
    const top = open[open.length - 1] as Open;
    switch (json.charCodeAt(at)) {
      case OPEN_OBJECT:
        open.push({ value: {}, key: null });
        break;
      case OPEN_LIST:
        open.push({ value: [], key: null });
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        open.pop();
        put(open[open.length - 1] as Open, top.value);
        break;
      case QUOTE: {
        const end = endOfString(json, at);
        const text = native(json.slice(at, end + 1)) as string;
        if (top.key === null && !Array.isArray(top.value)) top.key = text;
        else put(top, text);
        at = end;
        break;
      }
      case COLON:
      case COMMA:
        break;
      default: {
        if (isBlank(json.charCodeAt(at))) break;
        const end = endOfWord(json, at);
        put(top, native(json.slice(at, end)));
        at = end - 1;
      }
    }
  }
  return root[0];
}

function put(open: Open, value: unknown): void {
  if (Array.isArray(open.value)) {
    open.value.push(value);
    return;
  }
  const key = open.key as string;
  open.key = null;
  // An assignment would set the object's prototype.
  if (key !== '__proto__') open.value[key] = value;
  else
    Object.defineProperty(open.value, key, { value, writable: true, enumerable: true, configurable: true });
}

/** The end of a number, of true, false or null. */
function endOfWord(json: string, start: number): number {
  let at = start + 1;
  for (; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_LIST || isBlank(code)) break;
  }
  return at;
}

function afterBlanks(json: string, start: number): number {
  let at = start;
  while (isBlank(json.charCodeAt(at))) at++;
  return at;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
