import { parseArgs } from 'node:util';
import { examine } from './doctor/examine.ts';
import { type Finding, worstOf } from './doctor/finding.ts';
import { visible } from './visible.ts';

export const DOCTOR_USAGE = `millrace doctor [--json]

Checks this machine, the database, the object store and the tools, a line each: ok, warn, fail, or skip where something before it
failed; below a warning or a failure stands what to do. Exit code 1 when anything failed. It changes nothing.

  --json   the same for programs: {"verdict", "findings": [{"check", "verdict", "message", "fix"}]}

Works on DATABASE_URL, else on the embedded database of a running demo or start.
`;

/** `millrace doctor`. Exit code 1 when a check failed. */
export async function runDoctor(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
  const findings = await examine();
  const verdict = worstOf(findings);
  if (verdict === 'fail') process.exitCode = 1;
  process.stdout.write(
    values.json ? `${JSON.stringify({ verdict, findings }, null, 2)}\n` : visible(asText(findings)),
  );
}

function asText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, verdict, message, fix }) => [
    `${verdict.padEnd(5)}${check.padEnd(14)}${message}`,
    ...(fix === null ? [] : [`${' '.repeat(19)}→ ${fix}`]),
  ]);
  const count = (wanted: Finding['verdict']): number =>
    findings.filter(({ verdict }) => verdict === wanted).length;
  return `${lines.join('\n')}\n\n${count('ok')} ok, ${count('warn')} ${count('warn') === 1 ? 'warning' : 'warnings'}, ${count('fail')} failed, ${count('skip')} skipped\n`;
}
