import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** `nobody` on Linux; what a process started by root becomes for the lines of a Dockerfile. */
const UNPRIVILEGED_ID = 65_534;

export interface ShellRun {
  readonly command: string;
  readonly cwd: string;
  /** Everything below belongs to the unprivileged user before the command starts. */
  readonly ownedFolder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/**
 * Runs one line with `sh -c` as an unprivileged user: `nobody` when started by root, otherwise the user that
 * runs this.
 * @throws Error with the command's output when it does not end with 0
 */
export function runShell({ command, cwd, ownedFolder, env, timeoutMs }: ShellRun): void {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) giveAway(ownedFolder);
  const identity = isRoot ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
  const run = spawnSync('/bin/sh', ['-c', command], {
    cwd,
    env: { ...env },
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 64 * 2 ** 20,
    ...identity,
  });
  if (run.status === 0) return;
  const how = run.error?.message ?? (run.signal === null ? `status ${run.status}` : `signal ${run.signal}`);
  throw new Error(`RUN ${command}: ${how}\n${run.stdout}${run.stderr}`);
}

function giveAway(folder: string): void {
  chownSync(folder, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = join(folder, entry.name);
    if (entry.isDirectory()) giveAway(place);
    else lchownSync(place, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  }
}
