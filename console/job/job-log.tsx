import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, Download, Search, WrapText } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { JobLogLevel, JobLogLine } from '../../src/client/index.ts';
import { useMillrace } from '../../src/react/index.ts';
import { JobLogFile } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';
import { useKeys } from '../frame/keys.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { Empty } from '../parts/notes.tsx';
import { toast } from '../parts/toasts.tsx';
import { LogLine } from './log-line.tsx';
import { useLog } from './use-log.ts';

const LEVELS: readonly JobLogLevel[] = ['DEBUG', 'INFO', 'WARN', 'ERROR'];
const NO_LINES: readonly JobLogLine[] = [];
const LINE_PX = 22;
/** So near to the end a reader is at the end. */
const END_PX = 40;

export function JobLog({ jobId, isFinal }: { readonly jobId: string; readonly isFinal: boolean }) {
  const state = useUnlessPaused(useLog(jobId));
  const [hidden, setHidden] = useState<ReadonlySet<JobLogLevel>>(new Set());
  const [wanted, setWanted] = useState('');
  const [isWrapped, setWrapped] = useState(true);
  const all = state?.lines ?? NO_LINES;
  // The filter holds for lines that are still to come, too.
  const lines = useMemo(() => {
    if (hidden.size === 0 && wanted === '') return all;
    const words = wanted.toLowerCase();
    return all.filter(
      ({ level, message }) => !hidden.has(level) && (words === '' || message.toLowerCase().includes(words)),
    );
  }, [all, hidden, wanted]);
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
        <fieldset className="segments">
          <legend className="visually-hidden">Levels</legend>
          {LEVELS.map((level) => (
            <button
              key={level}
              type="button"
              aria-pressed={!hidden.has(level)}
              onClick={() => {
                const next = new Set(hidden);
                if (!next.delete(level)) next.add(level);
                setHidden(next);
              }}
            >
              {level.toLowerCase()}
            </button>
          ))}
        </fieldset>
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
        <DownloadButton jobId={jobId} />
      </header>
      {state !== undefined && state.droppedCount > 0 && (
        <p className="log-gap small">
          {state.droppedCount.toLocaleString('en')} earlier lines are not shown; the download has all.
        </p>
      )}
      {state?.isReadingOlder === true && <p className="log-gap small">Earlier lines are on their way.</p>}
      {lines.length === 0 ? (
        <Empty
          title={all.length > 0 ? 'No line matches' : isFinal ? 'It has written no log' : 'No line yet'}
        />
      ) : (
        <Lines lines={lines} isWrapped={isWrapped} wanted={wanted} />
      )}
    </section>
  );
}

function Lines({
  lines,
  isWrapped,
  wanted,
}: {
  readonly lines: readonly JobLogLine[];
  readonly isWrapped: boolean;
  readonly wanted: string;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const [seenCount, setSeenCount] = useState(0);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: () => LINE_PX,
    // The same function while the lines are: with another one the places of all of them are worked out anew, at each scroll.
    getItemKey: useCallback((index: number) => lines[index]?.cursor ?? index, [lines]),
    overscan: 24,
  });
  const count = lines.length;
  const first = useRef(lines[0]);
  // Lines that come before those that are shown leave these where they are.
  useLayoutEffect(() => {
    const known = first.current;
    first.current = lines[0];
    if (known === undefined || known === lines[0]) return;
    const at = lines.indexOf(known);
    if (at === -1) return;
    setSeenCount((before) => before + at);
    const [element, start] = [place.current, rows.measurementsCache[at]?.start];
    if (!isFollowing && element !== null && start !== undefined) element.scrollTop += start;
  }, [lines, isFollowing, rows]);
  useEffect(() => {
    if (!isFollowing || count === 0) return;
    setSeenCount(count);
    rows.scrollToIndex(count - 1, { align: 'end' });
  }, [isFollowing, count, rows]);
  useKeys({ f: () => setFollowing(!isFollowing) });
  const newCount = Math.max(0, count - seenCount);
  return (
    <div className="log-frame">
      <div
        ref={place}
        className={isWrapped ? 'log-lines wrapped' : 'log-lines'}
        role="log"
        aria-live="off"
        aria-label="Lines"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          const isAtEnd = scrollHeight - scrollTop - clientHeight < END_PX;
          if (!isAtEnd && isFollowing && !rows.isScrolling) return;
          if (!isAtEnd) setSeenCount((before) => Math.max(before, count));
          setFollowing(isAtEnd);
        }}
      >
        <div className="log-space" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start, key }) => {
            const line = lines[index];
            if (line === undefined) return null;
            const before = lines[index - 1];
            return (
              <LogLine
                key={key}
                measure={rows.measureElement}
                index={index}
                top={start}
                line={line}
                isNewRun={before !== undefined && before.runNo !== line.runNo}
                wanted={wanted}
              />
            );
          })}
        </div>
      </div>
      {!isFollowing && (
        <button type="button" className="button small follow" onClick={() => setFollowing(true)}>
          <ArrowDown aria-hidden="true" size={14} /> {newCount > 0 ? `${newCount} new` : 'Follow'}
        </button>
      )}
    </div>
  );
}

function DownloadButton({ jobId }: { readonly jobId: string }) {
  const client = useMillrace();
  const download = async (): Promise<void> => {
    const { job } = await run(client, JobLogFile, { id: jobId });
    const url = job?.logFile?.url;
    if (url === undefined) toast('The log’s file is written when the job ends', true);
    else location.assign(url);
  };
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Download the whole log"
      onClick={() => void download().catch((error: unknown) => toast(String(error), true))}
    >
      <Download aria-hidden="true" size={16} />
    </button>
  );
}
