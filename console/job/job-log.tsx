import { Search, WrapText } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { JobLogLevel } from '../../src/client/index.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { Empty, ErrorNote } from '../parts/notes.tsx';
import { LogActs } from './log-acts.tsx';
import { LogLines } from './log-lines.tsx';
import { useLog } from './use-log.ts';
import { type LogLineShown, streamOf } from './whole-log.ts';

const LEVELS: readonly JobLogLevel[] = ['DEBUG', 'INFO', 'WARN', 'ERROR'];
const STREAMS = ['stdout', 'stderr'] as const;
const NO_LINES: readonly LogLineShown[] = [];

export function JobLog({ jobId, isFinal }: { readonly jobId: string; readonly isFinal: boolean }) {
  const state = useUnlessPaused(useLog(jobId));
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [wanted, setWanted] = useState('');
  const [isWrapped, setWrapped] = useState(true);
  const all = state?.lines ?? NO_LINES;
  const hasStreams = useMemo(() => all.some((line) => streamOf(line) !== null), [all]);
  // The filter holds for lines that are still to come, too.
  const lines = useMemo(() => {
    if (hidden.size === 0 && wanted === '') return all;
    const words = wanted.toLowerCase();
    return all.filter(
      (line) =>
        !hidden.has(line.level) &&
        !hidden.has(streamOf(line) ?? '') &&
        (words === '' || line.message.toLowerCase().includes(words)),
    );
  }, [all, hidden, wanted]);
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  return (
    <section className="card log" aria-label="Log">
      <header className="card-head">
        <form className="field-with-icon find" onSubmit={(event) => event.preventDefault()}>
          <Search aria-hidden="true" size={14} />
          <input
            data-find
            aria-label="Find in the log"
            placeholder="Find"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
        </form>
        <Shown title="Levels" names={LEVELS} hidden={hidden} onToggle={toggle} />
        {hasStreams && <Shown title="Streams" names={STREAMS} hidden={hidden} onToggle={toggle} />}
        <span className="muted small num grow" role="status">
          {lines.length.toLocaleString('en')} lines
        </span>
        <button
          type="button"
          className="icon-button"
          aria-pressed={isWrapped}
          aria-label="Wrap lines"
          onClick={() => setWrapped(!isWrapped)}
        >
          <WrapText aria-hidden="true" size={16} />
        </button>
        <LogActs jobId={jobId} lines={lines} />
      </header>
      {state !== undefined && state.droppedCount > 0 && (
        <p className="log-gap small">
          {state.droppedCount.toLocaleString('en')} earlier lines are not shown; the download has all.
        </p>
      )}
      {state?.isReadingOlder === true && <p className="log-gap small">Earlier lines are on their way.</p>}
      {state?.olderError != null && <ErrorNote error={state.olderError} />}
      {lines.length === 0 ? (
        <Empty
          title={all.length > 0 ? 'No line matches' : isFinal ? 'It has written no log' : 'No line yet'}
        />
      ) : (
        <LogLines lines={lines} isWrapped={isWrapped} wanted={wanted} />
      )}
    </section>
  );
}

/** Which lines are shown, by one of their properties. */
function Shown({
  title,
  names,
  hidden,
  onToggle,
}: {
  readonly title: string;
  readonly names: readonly string[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (name: string) => void;
}) {
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{title}</legend>
      {names.map((name) => (
        <button key={name} type="button" aria-pressed={!hidden.has(name)} onClick={() => onToggle(name)}>
          {name.toLowerCase()}
        </button>
      ))}
    </fieldset>
  );
}
