import { Maximize, Search, WrapText } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { JobLogLevel } from '../../src/client/index.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { Empty, ErrorNote } from '../parts/notes.tsx';
import { LogActs } from './log-acts.tsx';
import { linesShown } from './log-filter.ts';
import { LogLines } from './log-lines.tsx';
import { indexOfPlace, placeOf, runsOf } from './log-place.ts';
import { type LogLineShown, streamOf } from './shown-line.ts';
import { useLog } from './use-log.ts';

const LEVELS: readonly JobLogLevel[] = ['DEBUG', 'INFO', 'WARN', 'ERROR'];
const STREAMS = ['stdout', 'stderr'] as const;
const NO_LINES: readonly LogLineShown[] = [];

/** What of the log the address says. */
export interface LogAddress {
  readonly attempt?: string | undefined;
  readonly line?: string | undefined;
}

export function JobLog({
  jobId,
  isFinal,
  runNo,
  place,
  onChange,
}: {
  readonly jobId: string;
  readonly isFinal: boolean;
  /** The lines of one run alone; null for those of all. */
  readonly runNo: number | null;
  /** The line that an address leads to. */
  readonly place: string | undefined;
  readonly onChange: (change: LogAddress) => void;
}) {
  const section = useRef<HTMLElement>(null);
  const state = useUnlessPaused(useLog(jobId));
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [wanted, setWanted] = useState('');
  const [isWrapped, setWrapped] = useState(true);
  const all = state?.lines ?? NO_LINES;
  const hasStreams = useMemo(() => all.some((line) => streamOf(line) !== null), [all]);
  const lines = useMemo(() => linesShown(all, { hidden, wanted, runNo }), [all, hidden, wanted, runNo]);
  const runs = useMemo(() => runsOf(all), [all]);
  const wantedPlace = useMemo(() => placeOf(place), [place]);
  const placeAt = useMemo(
    () => (wantedPlace === null ? -1 : indexOfPlace(lines, wantedPlace)),
    [lines, wantedPlace],
  );
  const onPlace = useCallback((line: string) => onChange({ line }), [onChange]);
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  return (
    <section ref={section} className="card log" aria-label="Log">
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
        {(runs.length > 1 || runNo !== null) && (
          <select
            aria-label="Run"
            value={runNo ?? ''}
            onChange={({ target }) => onChange({ attempt: target.value || undefined, line: undefined })}
          >
            <option value="">All runs</option>
            {runs.map((each) => (
              <option key={each} value={each}>
                Run {each}
              </option>
            ))}
            {runNo !== null && !runs.includes(runNo) && <option value={runNo}>Run {runNo}</option>}
          </select>
        )}
        <div className="log-tools">
          <span className="muted small num grow" role="status">
            {lines.length.toLocaleString('en')} {lines.length === 1 ? 'line' : 'lines'}
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
          {document.fullscreenEnabled && (
            <button
              type="button"
              className="icon-button"
              aria-label="Full screen"
              onClick={() =>
                void (document.fullscreenElement === null
                  ? section.current?.requestFullscreen()
                  : document.exitFullscreen())
              }
            >
              <Maximize aria-hidden="true" size={16} />
            </button>
          )}
          <LogActs jobId={jobId} lines={lines} />
        </div>
      </header>
      {state !== undefined && state.droppedCount > 0 && (
        <p className="log-gap small">
          {state.droppedCount.toLocaleString('en')} earlier lines are not shown; the download has all.
        </p>
      )}
      {place !== undefined && placeAt === -1 && state?.isReadingOlder === false && lines.length > 0 && (
        <p className="log-gap small" role="status">
          Line {place} is not among those shown.
        </p>
      )}
      {state?.isReadingOlder === true && <p className="log-gap small">Earlier lines are on their way.</p>}
      {state?.olderError != null && <ErrorNote error={state.olderError} />}
      {lines.length === 0 ? (
        <Empty
          title={all.length > 0 ? 'No line matches' : isFinal ? 'It has written no log' : 'No line yet'}
        />
      ) : (
        <LogLines lines={lines} isWrapped={isWrapped} wanted={wanted} placeAt={placeAt} onPlace={onPlace} />
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
