import { useEffect, useRef } from 'react';
import { preferences } from './preferences.ts';

export type KeyActions = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const SEQUENCE_MS = 1_200;
let lead: { key: string; atMs: number } | null = null;
const layers: { current: KeyActions }[] = [];

/** Single keys act only outside of fields and dialogs, and while their owner leaves them on. */
function isForUs(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (!preferences().hasSingleKeys) return false;
  const target = event.target as HTMLElement;
  // What has the focus is what Enter is for.
  if (event.key === 'Enter' && target.closest('button, a, summary') !== null) return false;
  if (
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable], dialog, [role=menu]') !==
    null
  )
    return false;
  return document.querySelector('dialog[open]') === null;
}

function onKeyDown(event: KeyboardEvent): void {
  if (!isForUs(event)) return;
  const sequence =
    lead !== null && performance.now() - lead.atMs < SEQUENCE_MS ? `${lead.key} ${event.key}` : '';
  lead = null;
  for (const layer of layers.toReversed()) {
    const action = layer.current[sequence] ?? layer.current[event.key];
    if (action === undefined) continue;
    event.preventDefault();
    action(event);
    return;
  }
  if (layers.some((layer) => Object.keys(layer.current).some((name) => name.startsWith(`${event.key} `))))
    lead = { key: event.key, atMs: performance.now() };
}

/**
 * Keys of a component while it is shown: `j`, `Enter`, or `g j` for two in a row. Those of the latest
 * component come first.
 */
export function useKeys(actions: KeyActions): void {
  const layer = useRef(actions);
  layer.current = actions;
  useEffect(() => {
    if (layers.length === 0) document.addEventListener('keydown', onKeyDown);
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      if (layers.length === 0) document.removeEventListener('keydown', onKeyDown);
    };
  }, []);
}
