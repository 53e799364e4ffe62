import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { buildConsole } from '../../scripts/console/build-console.ts';
import { repository } from '../repository/planted.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { type Program, startProgram } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';
import { openPages } from './opened-pages.ts';
import { handleAsProvider } from './provider.ts';

type OpenOptions = BrowserContextOptions & {
  /** Who opens it: an admin of the tenant by default; null for nobody. */
  readonly token?: string | null;
};

/**
 * The real server with the built console, a worker of its own, a tenant with an admin, an identity provider.
 */
export interface ConsoleTools {
  readonly api: TestApi;
  readonly tenantId: string;
  readonly token: string;
  readonly superToken: string;
  readonly issuer: string;
  /** One that has failed for good. */
  readonly jobId: string;
  /** What stands for the parameters in the paths of pages: `videoId`. */
  readonly examples: Record<string, string>;
  /** Pages beside those that every installation has, as tests make what they show. */
  readonly paths: string[];
  /** Problems that pages have had: errors of scripts, and of the policy. */
  readonly problems: string[];
  /**
   * A page at a path of the console, signed in, with nothing in its storage. It takes the place of the one
   * before.
   */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** A page at any address. */
  openAt(url: string): Promise<Page>;
  graphql(document: string, variables?: object): Promise<Record<string, never>>;
  enqueue(count: number, job: (index: number) => object): Promise<readonly string[]>;
  countOf(sql: string): Promise<number>;
  close(): Promise<void>;
}

const ENQUEUE = `mutation ($jobs: [EnqueueJobInput!]!) { enqueueJobs(input: { jobs: $jobs }) { __typename
  ... on EnqueueJobsPayload { results { ... on EnqueueJobPayload { job { uuid } } } } } }`;

export async function openConsole(): Promise<ConsoleTools> {
  await buildOnce();
  const provider: Server = createServer();
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const api = await startTestApi({
    env: {
      MILLRACE_OIDC_ISSUER: issuer,
      MILLRACE_OIDC_CLIENT_ID: 'millrace-console',
      MILLRACE_OIDC_SCOPE: 'openid offline_access',
      MILLRACE_JWKS_URL: `${issuer}/jwks`,
      MILLRACE_OUTGOING_ALLOWED: '127.0.0.0/8',
      MILLRACE_LINK_HOST_DELAY_MS: '0',
    },
  });
  const tenantId = await api.makeTenant();
  const token = await api.token(tenantId, 'tenant_admin');
  const superToken = await api.token(tenantId, 'super_admin', { subject: 'root' });
  handleAsProvider(provider, { issuer, consoleUrl: `${api.url}/console/`, tenantId });
  const worker: Program = startProgram('workers/main.ts', [], {
    DATABASE_URL: api.databaseUrl,
    MILLRACE_DATA_DIR: api.storageDir,
    MILLRACE_STORAGE_DIR: api.storageDir,
    MILLRACE_OUTGOING_ALLOWED: '127.0.0.0/8',
    MILLRACE_LINK_HOST_DELAY_MS: '0',
    MILLRACE_SPEECH_PROVIDER: 'segments',
    MILLRACE_JOB_LOG_LEVEL: 'debug',
  });
  const problems: string[] = [];
  const pages = await openPages(problems);
  const graphql: ConsoleTools['graphql'] = async (document, variables) => {
    const { data, errors } = await api.query(token, document, variables);
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    return data;
  };
  const jobId = await failedJob(api, graphql);
  return {
    api,
    tenantId,
    token,
    superToken,
    issuer,
    jobId,
    examples: {},
    paths: [],
    problems,
    graphql,
    open: async (path, { token: given = token, ...options } = {}) =>
      await pages.open(`${api.url}/console${path}${given === null ? '' : `#token=${given}`}`, options),
    openAt: (url) => pages.open(url, {}),
    enqueue: async (count, job) => {
      const jobs = Array.from({ length: count }, (_, index) => ({ definition: 'echo', ...job(index) }));
      const data = (await graphql(ENQUEUE, { jobs })) as never as {
        enqueueJobs: { results: { job: { uuid: string } }[] };
      };
      return data.enqueueJobs.results.map((each) => each.job.uuid);
    },
    countOf: async (sql) => Number((await api.superuser.query(sql)).rows[0].count),
    close: async () => {
      await pages.close();
      await worker.interrupt();
      await api.close();
      provider.closeAllConnections();
      provider.close();
      await once(provider, 'close');
    },
  };
}

async function failedJob({ superuser }: TestApi, graphql: ConsoleTools['graphql']): Promise<string> {
  await graphql(
    `mutation { a: enqueueJob(input: { definition: "echo", payload: { message: "ok" } }) { __typename }
      b: enqueueJob(input: { definition: "echo", payload: { message: "bad", failTimes: 1 }, maxAttempts: 1 }) { __typename }
      c: createTrigger(input: { label: "Paid", eventName: "order.paid", definition: "echo", payloadTemplate: { message: "paid" } }) { __typename } }`,
  );
  const ended = `select id from millrace.jobs where status = 'dead_letter'`;
  await waitFor(async () => (await superuser.query(ended)).rows.length === 1, {
    describe: 'a failed job',
  });
  return (await superuser.query(ended)).rows[0].id;
}

/** Files of this folder run beside each other, and one that builds takes away what the others serve. */
async function buildOnce(): Promise<void> {
  const done = join(tmpdir(), 'console-is-built');
  const isMine = await mkdir(join(tmpdir(), 'console-building')).then(
    () => true,
    () => false,
  );
  if (isMine) {
    await buildConsole(repository);
    await writeFile(done, '');
  }
  await waitFor(() => existsSync(done), {
    describe: 'the console to be built by another process',
  });
}
