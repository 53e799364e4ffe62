import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * As many rows are drawn in full, so that the browser's own find sees them; of more, those near the screen.
 */
const MAX_DRAWN = 1_000;
const ROW_PX = 47;
const PHONE_ROW_PX = 72;
const PHONE_MAX_PX = 640;

export interface DrawnRows {
  /** False when all rows are drawn. */
  readonly isWindowed: boolean;
  /** The index of the first drawn row, and that behind the last. */
  readonly from: number;
  readonly to: number;
  /** The height of what is not drawn above and below, pixels. */
  readonly abovePx: number;
  readonly belowPx: number;
  /** To be given each drawn row, which says its index in `data-index`. */
  measure(row: Element | null): void;
  scrollTo(index: number): void;
}

/** Which rows of a long table stand in the document. The window is what scrolls. */
export function useDrawnRows(count: number, body: RefObject<HTMLElement | null>): DrawnRows {
  const isWindowed = count > MAX_DRAWN;
  const [scrollMargin, setScrollMargin] = useState(0);
  // After each rendering: what stands above the table comes and goes.
  useLayoutEffect(() => {
    if (!isWindowed || body.current === null) return;
    setScrollMargin(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
  });
  const virtual = useWindowVirtualizer({
    count: isWindowed ? count : 0,
    estimateSize: () => (window.innerWidth <= PHONE_MAX_PX ? PHONE_ROW_PX : ROW_PX),
    overscan: 15,
    scrollMargin,
  });
  const shown = virtual.getVirtualItems();
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    isWindowed,
    from: isWindowed ? (first?.index ?? 0) : 0,
    to: isWindowed ? (last?.index ?? -1) + 1 : count,
    abovePx: first === undefined ? 0 : first.start - scrollMargin,
    belowPx: last === undefined ? 0 : virtual.getTotalSize() - (last.end - scrollMargin),
    measure: virtual.measureElement,
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  };
}
