import { randomInt } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../core/errors.ts';
import { systemCode } from './errors.ts';
import { processIdentity } from './process-identity.ts';

/** The right to run Postgres in one data directory. */
export type OwnerLock = {
  /** Gives the directory free. Safe to call twice. */
  release(): Promise<void>;
};

const FLAG_NAME = /^owner-(\d+)-([\w-]+)\.lock$/;
const CLAIM_ATTEMPTS = 10;

/**
 * Claims a data directory for this process.
 *
 * Each claimant puts up a flag file of its own, named by pid and process start time, and then looks for
 * others: of two who claim at once, the later one always sees the earlier one's flag. Nobody ever takes over
 * somebody else's file, so there is no moment at which replacing a stale lock could throw out a live one, and
 * a flag whose process is gone can be deleted by anyone.
 *
 * @param directory existing directory, real path
 * @throws DomainError `DataDirInUse` with the owner's pid in `details.ownerPid`
 */
export async function claimDirectory(directory: string): Promise<OwnerLock> {
  const identity = (await processIdentity(process.pid)) ?? 'unknown';
  const flag = join(directory, `owner-${process.pid}-${identity}.lock`);

  for (let attempt = 1; ; attempt++) {
    await raiseFlag(flag, directory);
    const others = await liveOwners(directory, flag);
    if (others.length === 0) return { release: () => rm(flag, { force: true }) };
    await rm(flag, { force: true });
    if (attempt === CLAIM_ATTEMPTS) throw inUse(directory, others[0] ?? 0);
    // Two who claimed in the same instant both step back; random pauses let one of them through.
    await delay(randomInt(10, 50));
  }
}

async function raiseFlag(flag: string, directory: string): Promise<void> {
  try {
    await writeFile(flag, 'Held by a running Millrace. Stale ones are removed at the next start.\n', {
      flag: 'wx',
    });
  } catch (caught) {
    // The name holds our own pid and start time: this very process has the directory already.
    if (systemCode(caught) === 'EEXIST') throw inUse(directory, process.pid);
    throw caught;
  }
}

async function liveOwners(directory: string, ownFlag: string): Promise<number[]> {
  const pids: number[] = [];
  for (const name of await readdir(directory)) {
    const match = FLAG_NAME.exec(name);
    const path = join(directory, name);
    if (match === null || path === ownFlag) continue;
    const pid = Number(match[1]);
    const identity = await processIdentity(pid);
    if (identity !== undefined && (identity === match[2] || identity === 'unknown')) pids.push(pid);
    else await rm(path, { force: true });
  }
  return pids;
}

function inUse(dataDir: string, ownerPid: number): DomainError {
  const owner = ownerPid === process.pid ? `process ${ownerPid} (this one)` : `process ${ownerPid}`;
  return new DomainError(
    'DataDirInUse',
    `The data directory ${dataDir} is in use by ${owner}. Stop that one first, or choose another directory.`,
    { dataDir, ownerPid },
  );
}
