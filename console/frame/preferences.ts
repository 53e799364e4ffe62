import { useSyncExternalStore } from 'react';

export interface Preferences {
  readonly theme: 'auto' | 'light' | 'dark';
  readonly zone: 'browser' | 'UTC';
  readonly hasSingleKeys: boolean;
}

const KEY = 'millrace.console.preferences';
const DEFAULTS: Preferences = { theme: 'auto', zone: 'browser', hasSingleKeys: true };
const listeners = new Set<() => void>();
let current = stored();

function stored(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) };
  } catch {
    return DEFAULTS;
  }
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  localStorage.setItem(KEY, JSON.stringify(current));
  applyTheme();
  for (const listener of [...listeners]) listener();
}

/** Styles follow the system's theme unless a person has chosen one. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = current.theme;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current);
}

export function preferences(): Preferences {
  return current;
}
