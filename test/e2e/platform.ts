import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { callApi } from '../../src/cli/call-api.ts';
import { loadConfig } from '../../src/config/config.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Program, startProgram } from '../support/program.ts';
import { connectSuperuser } from '../support/superuser.ts';
import { waitFor } from '../support/wait.ts';

const SECRET = 'a-secret-of-tests-that-is-long-enough-for-anyone';

/** The production processes on a database and a storage folder of their own. */
export interface Platform {
  readonly graphqlUrl: string;
  /** Removed with the platform. */
  readonly dataDir: string;
  readonly token: string;
  /** That tokens are signed with. */
  readonly secret: string;
  readonly database: TestDatabase;
  readonly superuser: pg.Client;
  api<Data>(query: string, variables?: Record<string, unknown>): Promise<Data>;
  /** @param leaseSeconds of its jobs, in place of what their definitions say */
  startWorker(leaseSeconds?: number): Promise<Program>;
  /** Kills those that still run: after a test that failed they would have the next one's jobs. */
  stopWorkers(): Promise<void>;
  /** createVideo, PUT, completeVideoUpload, as a client does it. */
  upload(
    title: string,
    path: string,
  ): Promise<{ readonly videoId: string; readonly uuid: string; readonly jobId: string }>;
  close(): Promise<void>;
}

/**
 * Starts the server process; workers are the test's to start.
 * @param settings are laid over the platform's own
 * @param options.upTo videos go no further than this stage: what comes after it is paused, and takes no time
 *   from the test
 * @param options.programs in place of the production ones
 * @param options.prepare is run in the database before the server starts
 */
export async function startPlatform(
  settings: Readonly<Record<string, string>> = {},
  {
    upTo,
    programs: { server: serverScript, worker: workerScript } = {
      server: 'src/server.ts',
      worker: 'workers/main.ts',
    },
    prepare = '',
  }: {
    readonly upTo?: 'transcode';
    readonly programs?: { readonly server: string; readonly worker: string };
    readonly prepare?: string;
  } = {},
): Promise<Platform> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-e2e-'));
  const env = {
    DATABASE_URL: database.url,
    MILLRACE_DATA_DIR: dataDir,
    MILLRACE_JWT_SECRET: SECRET,
    MILLRACE_SIGNING_SECRET: SECRET,
    PORT: '0',
    ...settings,
  };
  const programs: Program[] = [];
  const workers: Program[] = [];
  const start = (script: string, args: readonly string[] = []): Program => {
    const program = startProgram(script, args, env);
    programs.push(program);
    return program;
  };
  const superuser = await connectSuperuser(database.url);
  await superuser.query(prepare);
  const server = start(serverScript);
  const logged = await waitFor(() => /"url":"([^"]+)"/.exec(server.stderr()), {
    describe: () => `the server to listen:\n${server.stderr()}`,
    timeoutMs: 300_000,
  });
  const graphqlUrl = `${logged[1]}/graphql`;
  const { rows } = await superuser.query(
    `insert into millrace.tenants (slug, name) values ('e2e', 'E2E') returning id`,
  );
  const token = await signToken(loadConfig({ MILLRACE_JWT_SECRET: SECRET }), {
    subject: 'ann',
    tenantId: rows[0].id,
    role: 'tenant_admin',
    ttlSeconds: 86_400,
  });
  const api = <Data>(query: string, variables: Record<string, unknown> = {}) =>
    callApi<Data>({ graphqlUrl, token }, query, variables);
  return {
    graphqlUrl,
    dataDir,
    token,
    secret: SECRET,
    database,
    superuser,
    api,
    startWorker: async (leaseSeconds) => {
      const worker =
        leaseSeconds === undefined
          ? start(workerScript)
          : start('test/e2e/short-lease-worker.fixture.ts', [String(leaseSeconds)]);
      workers.push(worker);
      await waitFor(() => worker.stderr().includes('worker: started'), {
        describe: () => `a worker:\n${worker.stderr()}`,
      });
      // Definitions are there from a worker's start on.
      if (upTo !== undefined)
        await superuser.query(
          `update millrace.job_definitions set paused_at = coalesce(paused_at, now()) where key = 'sample'`,
        );
      return worker;
    },
    stopWorkers: async () => {
      await Promise.all(
        workers
          .splice(0)
          .filter(isRunning)
          .map((worker) => worker.kill()),
      );
    },
    upload: (title, path) => uploadVideo(api, title, path),
    close: async () => {
      for (const program of programs.reverse()) {
        if (isRunning(program)) {
          program.child.kill('SIGCONT');
          program.child.kill('SIGTERM');
          await program.ended().catch(() => program.kill());
        }
      }
      await superuser.end();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

interface Uploads {
  readonly createVideo: {
    readonly video: { readonly id: string; readonly uuid: string };
    readonly upload: {
      readonly method: string;
      readonly url: string;
      readonly headers: readonly { readonly name: string; readonly value: string }[];
    };
  };
  readonly completeVideoUpload: { readonly job: { readonly uuid: string } };
}

async function uploadVideo(api: Platform['api'], title: string, path: string) {
  const { createVideo } = await api<Uploads>(
    `mutation ($title: String!) { createVideo(input: { title: $title, fileName: "in.mp4" }) {
      ... on CreateVideoPayload { video { id uuid } upload { method url headers { name value } } } ... on DomainFailure { message } } }`,
    { title },
  );
  const { method, url, headers } = createVideo.upload;
  const put = await fetch(url, {
    method,
    body: await readFile(path),
    headers: { connection: 'close', ...Object.fromEntries(headers.map(({ name, value }) => [name, value])) },
  });
  if (!put.ok) throw new Error(`PUT answered ${put.status}`);
  const { completeVideoUpload } = await api<Uploads>(
    `mutation ($id: ID!) { completeVideoUpload(input: { videoId: $id }) { ... on CompleteVideoUploadPayload { job { uuid } } ... on DomainFailure { message } } }`,
    { id: createVideo.video.id },
  );
  return { videoId: createVideo.video.id, uuid: createVideo.video.uuid, jobId: completeVideoUpload.job.uuid };
}

/**
 * A playlist as it is served, with those of its renditions where it is a master, and the SHA-256 of each
 * segment they name, fetched under the same signed prefix.
 */
export async function fetchStream(playlistUrl: string): Promise<{
  readonly playlist: string;
  readonly hashes: ReadonlyMap<string, string>;
  readonly segments: ReadonlyMap<string, Buffer>;
}> {
  const get = async (url: string | URL) => {
    const response = await fetch(url, { headers: { connection: 'close' } });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  };
  const named = (text: string, ending: string) => text.split('\n').filter((line) => line.endsWith(ending));
  let playlist = (await get(playlistUrl)).toString('utf8');
  for (const rendition of named(playlist, '.m3u8'))
    playlist += (await get(new URL(rendition, playlistUrl))).toString('utf8');
  const segments = new Map<string, Buffer>();
  for (const name of named(playlist, '.ts')) segments.set(name, await get(new URL(name, playlistUrl)));
  const hashes = new Map(
    [...segments].map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]),
  );
  return { playlist, hashes, segments };
}

const isRunning = ({ child }: Program): boolean => child.exitCode === null && child.signalCode === null;
