import { openSync, readFileSync, writeSync } from 'node:fs';

/**
 * What handlers saw, written by themselves and beside the database, so that it can be held against what that
 * says.
 */
export type Effect =
  | {
      readonly kind: 'began' | 'done' | 'threw' | 'snoozed' | 'aborted';
      readonly jobId: string;
      readonly runNo: number;
      readonly pid: number;
    }
  | { readonly kind: 'memory'; readonly pid: number; readonly rssMb: number };

/**
 * Appends lines to a file that all workers share. Each is one write to a file opened for appending, so that
 * lines of several processes never mix, and what was written outlives a SIGKILL.
 */
export function openRecord(path: string): (effect: Effect) => void {
  const file = openSync(path, 'a');
  return (effect) => void writeSync(file, `${JSON.stringify(effect)}\n`);
}

export function readRecord(path: string): readonly Effect[] {
  const lines = readFileSync(path, { encoding: 'utf8', flag: 'a+' }).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Effect);
}
