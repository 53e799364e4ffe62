import { useVirtualizer } from '@tanstack/react-virtual';
import { Copy, Download, Search } from 'lucide-react';
import { useId, useMemo, useRef, useState } from 'react';
import { layOut } from '../api/raw-json.ts';
import { copyText } from './copy.ts';
import { downloadText } from './download.ts';

const LINE_PX = 20;
/** A line of a large text is cut here on the screen; copies and downloads are whole. */
const MAX_LINE = 4_000;

/** JSON as its text, line by line, however large it is. Numbers stay as they were written. */
export function JsonView({ json, name }: { readonly json: string; readonly name: string }) {
  const lines = useMemo(() => layOut(json).split('\n'), [json]);
  const [wanted, setWanted] = useState('');
  const place = useRef<HTMLDivElement>(null);
  const id = useId();
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
  });
  const found = useMemo(
    () =>
      wanted === ''
        ? []
        : lines.flatMap((line, index) => (line.toLowerCase().includes(wanted.toLowerCase()) ? [index] : [])),
    [lines, wanted],
  );
  const isFound = useMemo(() => new Set(found), [found]);
  const [at, setAt] = useState(0);
  const go = (index: number): void => {
    const line = found[index % found.length];
    setAt(index);
    if (line !== undefined) rows.scrollToIndex(line, { align: 'center' });
  };
  return (
    <section className="card" aria-labelledby={id}>
      <header className="card-head">
        <h2 id={id}>{name}</h2>
        {lines.length > 12 && (
          <form
            className="field-with-icon find"
            onSubmit={(event) => {
              event.preventDefault();
              go(at);
              setAt(at + 1);
            }}
          >
            <Search aria-hidden="true" size={14} />
            <input
              aria-label={`Find in the ${name.toLowerCase()}`}
              placeholder="Find"
              value={wanted}
              onChange={({ target }) => {
                setWanted(target.value);
                setAt(0);
              }}
            />
          </form>
        )}
        {wanted !== '' && <span className="muted small">{found.length} lines</span>}
        <button
          type="button"
          className="icon-button"
          aria-label={`Copy the ${name.toLowerCase()}`}
          onClick={() => void copyText(json)}
        >
          <Copy aria-hidden="true" size={15} />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={`Download the ${name.toLowerCase()}`}
          onClick={() => downloadText(`${name.toLowerCase()}.json`, json, 'application/json')}
        >
          <Download aria-hidden="true" size={15} />
        </button>
      </header>
      <div
        ref={place}
        className="json"
        role="region"
        aria-label={`Text of the ${name.toLowerCase()}`}
        tabIndex={0}
      >
        <div style={{ height: rows.getTotalSize() }} className="json-lines">
          {rows.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              className={isFound.has(index) ? 'json-line found' : 'json-line'}
              style={{ top: start }}
            >
              <span className="json-no">{index + 1}</span>
              <Line text={lines[index] ?? ''} />
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

const PARTS = /^(\s*)("(?:[^"\\]|\\.)*"(?=: ))?(: )?(.*)$/;

function Line({ text }: { readonly text: string }) {
  const shown = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text;
  const [, indent = '', key = '', colon = '', value = ''] = PARTS.exec(shown) ?? [];
  const kind = value.startsWith('"') ? 'text' : /^[-\d]/.test(value) ? 'number' : 'word';
  return (
    <code>
      {indent}
      <span className="json-key">{key}</span>
      {colon}
      <span className={`json-${kind}`}>{value}</span>
    </code>
  );
}
