import { setTimeout as delay } from 'node:timers/promises';
import { startFollowers } from '../stage/followers.ts';
import { noop } from '../stage/noop.ts';
import { startServer } from '../stage/server.ts';
import { openStage } from '../stage/stage.ts';
import type { FollowersReport } from '../subload/followers.ts';
import { SoakWriters } from './writers.ts';

export interface SoakOptions {
  readonly clients: number;
  /** How long jobs are changed and connections cut. */
  readonly seconds: number;
  /** Groups of clients that watch the same jobs. */
  readonly groups: number;
  /** Mean pause of each of the four writers. */
  readonly writePauseMs: number;
  /** How long all may take to know the truth once nothing changes any more. */
  readonly convergeMs: number;
  readonly say: (line: string) => void;
}

export interface SoakResult extends FollowersReport {
  readonly commitCount: number;
  readonly failureCount: number;
  readonly jobCount: number;
}

const WRITERS = 4;
const JOBS_A_GROUP = 5;
/** What happens, in turn: parts of `seconds` apart. */
const FAULTS = ['cut', 'listener', 'cut', 'restart', 'cut', 'crash', 'listener', 'cut'] as const;

/**
 * Clients follow jobs while these are changed, connections are cut at random, LISTEN is killed, and Postgres
 * is restarted and killed. When all is quiet again, every client must know what the database knows.
 */
export async function soakRealtime(options: SoakOptions): Promise<SoakResult> {
  const { clients, groups, say } = options;
  await using stage = await openStage({ say });
  // It breaks when Postgres is restarted, and is not used after that.
  stage.client.on('error', () => undefined);
  const { program, graphqlUrl, token } = await startServer(stage);
  const followers = await startFollowers();
  const writers = new SoakWriters(stage.databaseUrl);
  const keys = Array.from({ length: groups }, (_, group) => `soak-${group}`);
  try {
    await stage.queue.enqueueMany(
      stage.tenantId,
      keys.flatMap((correlationId) =>
        Array.from({ length: JOBS_A_GROUP }, () => ({ definitionKey: noop.key, payload: {}, correlationId })),
      ),
    );
    await followers.open({ url: graphqlUrl.replace(/^http/, 'ws'), token }, clients, keys);
    say(`${clients} clients follow ${groups} groups of jobs`);
    writers.start(WRITERS, options.writePauseMs, keys, stage.tenantId, stage.definitionIdOf(noop.key));
    for (const fault of FAULTS) {
      await delay((options.seconds * 1000) / FAULTS.length);
      say(`${fault}; ${writers.commitCount} changes so far`);
      if (fault === 'cut') followers.cut(0.2);
      else if (fault === 'listener') await writers.killListener();
      else {
        // Those that are cut now find no database when they come back.
        if (fault === 'crash') await stage.postgres.crash();
        followers.cut(0.05);
        await stage.postgres.restart('fast');
      }
    }
    await delay((options.seconds * 1000) / FAULTS.length);
    const truth = await writers.finish(keys);
    const jobCount = Object.values(truth).reduce((sum, jobs) => sum + Object.keys(jobs).length, 0);
    say('no more changes; waiting for every client to know');
    const report = await followers.converge(truth, options.convergeMs);
    if (report.errorCount + report.staleCount > 0) for (const line of errorsOf(program.stderr())) say(line);
    return { ...report, jobCount, commitCount: writers.commitCount, failureCount: writers.failureCount };
  } finally {
    await followers.stop();
    await writers.close();
    await program.interrupt();
  }
}

/** The last warnings and errors that a process logged. */
function errorsOf(stderr: string): readonly string[] {
  const lines = stderr.split('\n').filter((line) => /"level":[456]0|"path":\["jobChanges"/.test(line));
  return lines.slice(-8).map((line) => line.slice(0, 2_000));
}
