import type { ReactNode } from 'react';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals begin with it
const SGR = /\u001b\[([\d;]*)m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what else a terminal obeys is not shown
const OTHER = /\u001b(?:\[[\d;?]*[A-Za-ln-z]|\][^\u0007]*\u0007)/g;

/**
 * A line with the colours of a terminal as classes, whose values follow the theme; nothing of it becomes
 * markup.
 */
export function Ansi({ text }: { readonly text: string }) {
  if (!text.includes('\u001b')) return <Linked text={text} />;
  const plain = text.replace(OTHER, '');
  const parts: ReactNode[] = [];
  let [at, state] = [0, new Set<string>()];
  for (const found of plain.matchAll(SGR)) {
    push(parts, plain.slice(at, found.index), state);
    at = found.index + found[0].length;
    state = after(state, found[1] ?? '');
  }
  push(parts, plain.slice(at), state);
  return <>{parts}</>;
}

function push(parts: ReactNode[], text: string, state: ReadonlySet<string>): void {
  if (text === '') return;
  parts.push(
    <span key={parts.length} className={[...state].join(' ')}>
      <Linked text={text} />
    </span>,
  );
}

const ADDRESS = /https?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}]/;

/** A text with the web addresses in it as links, which open beside the console and learn nothing of it. */
function Linked({ text }: { readonly text: string }): ReactNode {
  if (!text.includes('://')) return text;
  const found = ADDRESS.exec(text);
  if (found === null) return text;
  const [address] = found;
  return (
    <>
      {text.slice(0, found.index)}
      <a href={address} target="_blank" rel="noopener noreferrer">
        {address}
      </a>
      <Linked text={text.slice(found.index + address.length)} />
    </>
  );
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

function after(before: ReadonlySet<string>, codes: string): Set<string> {
  const state = new Set(before);
  const numbers = codes === '' ? [0] : codes.split(';').map(Number);
  const without = (prefix: string): void => {
    for (const each of [...state]) if (each.startsWith(prefix)) state.delete(each);
  };
  for (let index = 0; index < numbers.length; index++) {
    const code = numbers[index] ?? 0;
    if (code === 0) state.clear();
    else if (code === 1) state.add('ansi-bold');
    else if (code === 2) state.add('ansi-dim');
    else if (code === 3) state.add('ansi-italic');
    else if (code === 4) state.add('ansi-underline');
    else if (code === 22) for (const each of ['ansi-bold', 'ansi-dim']) state.delete(each);
    else if (code === 39) without('ansi-fg');
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      without('ansi-fg');
      state.add(`ansi-fg-${COLOURS[code % 10]}`);
    } else if (code === 38 || code === 48) index += numbers[index + 1] === 5 ? 2 : 4;
  }
  return state;
}
