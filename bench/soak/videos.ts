import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuSecondsOf } from '../measuring/cpu.ts';
import { rounded } from '../measuring/figure.ts';
import { openBareFfmpeg } from '../stage/bare-ffmpeg.ts';
import { startShippedWorker } from '../stage/server.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { openVideoHarness } from '../stage/videos.ts';
import { watchMemory } from './memory.ts';

const SAMPLE = fileURLToPath(new URL('../../assets/sample.mp4', import.meta.url));

export interface SoakVideosOptions {
  readonly videos: number;
  readonly workers: number;
  readonly secondsEach: number;
  readonly say: (line: string) => void;
}

export interface SoakVideosResult {
  readonly readyCount: number;
  /**
   * Runs of a stage beyond the first of its job, jobs beyond one a stage, texts or files that a video has and
   * another copy of it has not.
   */
  readonly problems: readonly string[];
  readonly seconds: number;
  /** The largest resident set of any worker process, without its programs. */
  readonly peakWorkerMb: number;
  /** The same of a worker with all programs below it. */
  readonly peakTreeMb: number;
}

/**
 * The same video many times at once, through several worker processes: each must come to the same end, by one
 * run of each stage.
 */
export async function soakVideos({
  videos,
  workers,
  secondsEach,
  say,
}: SoakVideosOptions): Promise<SoakVideosResult> {
  await using stage = await openStage({ say });
  const source = join(stage.directory, 'source.mp4');
  const ffmpeg = await openBareFfmpeg(stage.directory);
  await ffmpeg.makeSource(SAMPLE, source, secondsEach);
  await using harness = await openVideoHarness(stage);
  const ids: string[] = [];
  for (let n = 0; n < videos; n++) ids.push(await harness.upload(source));
  const programs = await Promise.all(Array.from({ length: workers }, () => startShippedWorker(stage)));
  const memory = watchMemory(programs.map(({ pid }) => pid));
  const beganMs = performance.now();
  try {
    const ended = await Promise.allSettled(ids.map((id) => harness.process(id)));
    const seconds = (performance.now() - beganMs) / 1000;
    const failures = ended.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    for (const { pid } of programs)
      say(`worker ${pid}: ${rounded((await cpuSecondsOf(pid)) ?? 0)} CPU s with its programs`);
    return {
      readyCount: ended.length - failures.length,
      problems: [...failures, ...(await findProblems(stage, ids))],
      seconds,
      ...(await memory.stop()),
    };
  } finally {
    for (const program of programs) await program.interrupt();
  }
}

async function findProblems({ client }: Stage, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ problem: string }>(
    `with stages as (
       select j.subject_id as video, d.key as stage, count(*) as jobs, sum(j.run_no) as runs
       from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
       where j.subject_id = any ($1::text[]) group by 1, 2
     ), texts as (
       select v.id as video, md5(coalesce(string_agg(s.t_start || ' ' || s.t_end || ' ' || s.text, e'\\n' order by s.t_start, s.t_end, s.text), '')) as digest,
              count(s.id) as segments
       from unnest($1::uuid[]) as v (id) left join millrace.segments s on s.video_id = v.id group by 1
     ), files as (
       select subject_id as video, kind, count(*) as files from millrace.artifacts where subject_id = any ($1::text[]) group by 1, 2
     )
     select stage || ' of ' || video || ': ' || jobs || ' jobs, ' || runs || ' runs' as problem from stages where jobs <> 1 or runs <> 1
     union all select 'stages of ' || video || ': ' || count(*) from stages group by video having count(*) <> 4
     union all select 'texts: ' || count(distinct digest) || ' different ends' from texts having count(distinct digest) <> 1
     union all select 'texts: none' from texts having max(segments) = 0
     union all select 'files of kind ' || kind || ': from ' || min(files) || ' to ' || max(files) from files group by kind having min(files) <> max(files)`,
    [ids],
  );
  return rows.map(({ problem }) => problem);
}
