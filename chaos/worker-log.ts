import { readFileSync } from 'node:fs';

/**
 * What all workers logged, warnings and worse: each message once with how often it was said, the most
 * frequent first.
 */
export function summarizeLog(path: string, most: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of readFileSync(path, { encoding: 'utf8', flag: 'a+' }).split('\n')) {
    const said = messageOf(line);
    if (said !== null) counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, most).map(([said, count]) => `${count} × ${said}`);
}

/** Null for what is no line of the log: a process that falls writes its stack there as well. */
function messageOf(line: string): string | null {
  try {
    const { msg, reason } = JSON.parse(line) as { readonly msg?: string; readonly reason?: string };
    return reason === undefined ? (msg ?? null) : `${msg} (${reason})`;
  } catch {
    return null;
  }
}
