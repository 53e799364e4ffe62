import type { Answer } from '../http.ts';
import { fail } from '../report.ts';

/** No answer may take longer, even from a machine that is busy. */
const MAX_MS = 5_000;

/** Asks over HTTP. */
export interface Asking {
  ask(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Fails unless a query is served. */
  serves(): Promise<void>;
}

/** Fails unless the answer is an error, of the client's and in time. */
export function expectRefused({ status, json, text, tookMs }: Answer): void {
  if (status >= 500) fail(`status ${status}`);
  if (json?.errors === undefined && status < 400) fail(`no error: ${text.slice(0, 120)}`);
  if (Object.keys(json?.data ?? {}).length > 0 && json?.errors === undefined)
    fail(`answered: ${text.slice(0, 120)}`);
  if (tookMs > MAX_MS) fail(`${Math.round(tookMs)} ms`);
}

/** Fails when it took the server down, or long. */
export function expectHarmless({ status, tookMs }: Answer): void {
  if (status >= 500 || tookMs > MAX_MS) fail(`status ${status} after ${Math.round(tookMs)} ms`);
}
