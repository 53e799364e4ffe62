import { memo } from 'react';
import { useTimes } from '../parts/time.ts';
import { Ansi } from './ansi.tsx';
import { placeText } from './log-place.ts';
import { dataText, type LogLineShown, streamOf } from './shown-line.ts';

interface Props {
  readonly line: LogLineShown;
  readonly index: number;
  readonly top: number;
  readonly isNewRun: boolean;
  readonly wanted: string;
  readonly measure: (element: Element | null) => void;
  /** The address leads to it. */
  readonly isPlace: boolean;
  readonly onPlace: (place: string) => void;
}

export const LogLine = memo(function LogLine({
  line,
  index,
  top,
  isNewRun,
  wanted,
  measure,
  isPlace,
  onPlace,
}: Props) {
  const times = useTimes();
  const { runNo, lineNo, level, message, loggedAt } = line;
  const fields = dataText(line);
  const stream = streamOf(line);
  return (
    <div
      ref={measure}
      data-index={index}
      className={`log-line level-${level.toLowerCase()}${isNewRun ? ' new-run' : ''}${isPlace ? ' place' : ''}`}
      aria-current={isPlace ? 'location' : undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      {isNewRun && <span className="log-run">Run {runNo}</span>}
      <a
        className="log-no"
        href={`?tab=log&line=${placeText(line)}`}
        aria-label={`Line ${lineNo} of run ${runNo}`}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onPlace(placeText(line));
        }}
      >
        {lineNo}
      </a>
      <time dateTime={loggedAt}>{times.clock(loggedAt)}</time>
      <span className="log-level">{stream ?? level.toLowerCase()}</span>
      <span className="log-text">
        {wanted === '' ? <Ansi text={message} /> : <Marked text={message} wanted={wanted} />}
        {fields !== '' && (
          <span className="log-data">
            {' '}
            {wanted === '' ? fields : <Marked text={fields} wanted={wanted} />}
          </span>
        )}
      </span>
    </div>
  );
});

function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }) {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at === -1) return <Ansi text={text} />;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </>
  );
}
