import { useEffect, useMemo, useRef, useState } from 'react';
import type { ListedJob } from './listed-job.ts';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Everything that matches the filter, shown or not. */
  readonly isAll: boolean;
  readonly count: number;
  toggle(id: string, isRange?: boolean): void;
  toggleShown(): void;
  selectAll(): void;
  clear(): void;
}

/** A selection of all that match a filter, of which N are known to. */
export function everything(count: number): Selection {
  const nothing = (): void => undefined;
  return {
    ids: new Set(),
    isAll: true,
    count,
    toggle: nothing,
    toggleShown: nothing,
    selectAll: nothing,
    clear: nothing,
  };
}

/** Which rows are selected; another filter begins with none. */
export function useSelection(rows: readonly ListedJob[], filterText: string): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const last = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was selected belongs to the filter before
  useEffect(() => {
    setIds(new Set());
    setAll(false);
  }, [filterText]);
  return useMemo(() => {
    const order = rows.map(({ id }) => id);
    const clear = (): void => {
      setIds(new Set());
      setAll(false);
    };
    return {
      ids,
      isAll,
      count: ids.size,
      toggle: (id, isRange = false) => {
        const next = new Set(ids);
        const from = isRange && last.current !== null ? order.indexOf(last.current) : -1;
        if (from !== -1) {
          const to = order.indexOf(id);
          for (const each of order.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each);
        } else if (!next.delete(id)) next.add(id);
        last.current = id;
        setAll(false);
        setIds(next);
      },
      toggleShown: () => {
        if (order.every((id) => ids.has(id))) clear();
        else setIds(new Set(order));
      },
      selectAll: () => {
        setIds(new Set(order));
        setAll(true);
      },
      clear,
    };
  }, [rows, ids, isAll]);
}
