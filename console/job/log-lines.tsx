import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useKeys } from '../frame/keys.ts';
import { LogLine } from './log-line.tsx';
import { placeText } from './log-place.ts';
import type { LogLineShown } from './shown-line.ts';

const LINE_PX = 22;
/** So near to the end a reader is at the end. */
const END_PX = 40;

/**
 * The lines near the scrolled place, however many there are; new ones are followed until a reader scrolls up.
 */
export function LogLines({
  lines,
  isWrapped,
  wanted,
  placeAt,
  onPlace,
}: {
  readonly lines: readonly LogLineShown[];
  readonly isWrapped: boolean;
  readonly wanted: string;
  /** The index of the line that the address leads to; -1 for none. */
  readonly placeAt: number;
  readonly onPlace: (place: string) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(placeAt === -1);
  const [seenCount, setSeenCount] = useState(0);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: () => LINE_PX,
    // The same function while the lines are: with another one the places of all of them are worked out again,
    // at each scroll.
    getItemKey: useCallback(
      (index: number) => {
        const line = lines[index];
        return line === undefined ? index : placeText(line);
      },
      [lines],
    ),
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
  const placed = lines[placeAt];
  const placeKey = placed === undefined ? null : placeText(placed);
  const reached = useRef<string | null>(null);
  useEffect(() => {
    if (placeKey === null || reached.current === placeKey) return;
    reached.current = placeKey;
    setFollowing(false);
    setSeenCount((before) => Math.max(before, count));
    rows.scrollToIndex(placeAt, { align: 'center' });
  }, [placeKey, placeAt, rows, count]);
  const choose = useCallback(
    (chosen: string) => {
      // It is where the reader looks already.
      reached.current = chosen;
      onPlace(chosen);
    },
    [onPlace],
  );
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
                isPlace={index === placeAt}
                onPlace={choose}
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
