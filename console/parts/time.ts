import { useSyncExternalStore } from 'react';
import { usePreferences } from '../frame/preferences.ts';

const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export interface Times {
  /** The zone that every time on the page is in. */
  readonly zone: string;
  /** `30 Nov 14:02:07`, with the year where it is another one. */
  at(iso: string): string;
  /** `14:02:07` */
  second(iso: string): string;
  /** `14:02:07.123` */
  clock(iso: string): string;
}

/** Formatters are made once a zone: one of them costs more than all else that is done for a row. */
const timesByZone = new Map<string, Times>();

/** How times are written, in the zone that the person has chosen. */
export function useTimes(): Times {
  const { zone } = usePreferences();
  const timeZone = zone === 'UTC' ? 'UTC' : BROWSER_ZONE;
  const known = timesByZone.get(timeZone) ?? timesIn(timeZone);
  timesByZone.set(timeZone, known);
  return known;
}

function timesIn(timeZone: string): Times {
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' });
  const year = new Intl.DateTimeFormat('en-GB', { timeZone, year: 'numeric' });
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' });
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });
  return {
    zone: timeZone,
    at: (iso) => {
      const date = new Date(iso);
      const ofYear = year.format(date);
      const suffix = ofYear === year.format(new Date()) ? '' : ` ${ofYear}`;
      return `${day.format(date)}${suffix} ${time.format(date)}`;
    },
    second: (iso) => time.format(new Date(iso)),
    clock: (iso) => clock.format(new Date(iso)),
  };
}

/** `340 ms`, `4.2 s`, `3 m 20 s`, `5 h 12 m`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const pairs = [
    [86_400, 'd', 3_600, 'h'],
    [3_600, 'h', 60, 'm'],
    [60, 'm', 1, 's'],
  ] as const;
  for (const [large, name, small, smallName] of pairs) {
    if (seconds < large) continue;
    const rest = Math.floor((seconds % large) / small);
    return `${Math.floor(seconds / large)} ${name}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
  }
  return `${seconds} s`;
}

/** `3 m ago`, `in 20 s`, `now`. */
export function distance(iso: string, nowMs: number): string {
  const ms = Date.parse(iso) - nowMs;
  if (Math.abs(ms) < 1_000) return 'now';
  const [text] = duration(
    Math.abs(ms) < 60_000 ? Math.floor(Math.abs(ms) / 1_000) * 1_000 : Math.abs(ms),
  ).split(/(?<=[a-z]) (?=\d)/);
  const whole = (text ?? '').replace(/\.\d/, '');
  return ms < 0 ? `${whole} ago` : `in ${whole}`;
}

const tickers = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  tickers.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const each of [...tickers]) each();
  }, 1_000);
  return () => {
    tickers.delete(listener);
    if (tickers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, once a second: one timer for every age on the page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}
