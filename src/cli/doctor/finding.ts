/** `skip`: it could not be looked at, since something before it failed. */
export type Verdict = 'ok' | 'warn' | 'fail' | 'skip';

/** What one check found. */
export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly message: string;
  /** What to do about it; null when there is nothing to do. */
  readonly fix: string | null;
}

export function ok(check: string, message: string): Finding {
  return { check, verdict: 'ok', message, fix: null };
}

export function warn(check: string, message: string, fix: string): Finding {
  return { check, verdict: 'warn', message, fix };
}

export function fail(check: string, message: string, fix: string): Finding {
  return { check, verdict: 'fail', message, fix };
}

export function skip(check: string, why: string): Finding {
  return { check, verdict: 'skip', message: `not looked at: ${why}`, fix: null };
}

/** The worst of them; what was skipped counts as nothing. */
export function worstOf(findings: readonly Finding[]): Exclude<Verdict, 'skip'> {
  const has = (verdict: Verdict): boolean => findings.some((finding) => finding.verdict === verdict);
  return has('fail') ? 'fail' : has('warn') ? 'warn' : 'ok';
}
