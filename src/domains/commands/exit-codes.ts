import type { ExitAction } from './command-file.ts';

/** EX_TEMPFAIL of sysexits.h: try again later. */
const TEMPORARY_FAILURE = 75;

/**
 * What an exit code means. The closest rule counts: a code before a range, a range before `*`.
 * @param rules the entry's `exitCodes`; 0 is done and every other code is retried where they say nothing
 */
export function exitAction(exitCode: number, rules: Readonly<Record<string, ExitAction>> = {}): ExitAction {
  const exact = rules[String(exitCode)];
  if (exact !== undefined) return exact;
  for (const [rule, action] of Object.entries(rules)) {
    const [from, to] = rule.split('-');
    if (to !== undefined && exitCode >= Number(from) && exitCode <= Number(to)) return action;
  }
  if (exitCode === 0) return 'done';
  if (exitCode === TEMPORARY_FAILURE) return 'retry';
  return rules['*'] ?? 'retry';
}

/** @throws Error for a range that is none */
export function checkExitCodes(rules: Readonly<Record<string, ExitAction>> = {}): void {
  for (const rule of Object.keys(rules)) {
    const [from = '', to] = rule.split('-');
    if (
      rule !== '*' &&
      (Number(from) > 255 || (to !== undefined && (Number(to) > 255 || Number(to) < Number(from))))
    )
      throw new Error(`exitCodes.${rule}: codes are 0 to 255, and a range goes upwards`);
  }
}
