import { loadConfig } from '../../../../src/config/config.ts';
import { openWorker } from '../../../../workers/open-worker.ts';
import { builtInRegistrations } from '../../../../workers/registrations.ts';
import { startTestApi, type TestApi } from '../../../support/api.ts';
import { waitFor } from '../../../support/wait.ts';

/** A server and a worker that runs the jobs of links, on a database of their own. */
export interface LinksPlatform {
  readonly api: TestApi;
  readonly tenantId: string;
  readonly member: string;
  submit(url: string, sourceRef?: string): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: rows are as the tests ask for them
  row(id: string): Promise<any>;
  /** Waits until a link has one of these statuses. */
  until(id: string, ...statuses: string[]): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export async function startLinks(
  env: Readonly<Record<string, string>> = {},
  withWorker = true,
): Promise<LinksPlatform> {
  const settings = { MILLRACE_OUTGOING_ALLOWED: '127.0.0.2', MILLRACE_LINK_HOST_DELAY_MS: '0', ...env };
  const api = await startTestApi({ env: settings });
  const config = loadConfig({
    ...settings,
    DATABASE_URL: api.databaseUrl,
    MILLRACE_STORAGE_DIR: api.storageDir,
    MILLRACE_JOB_TYPES: 'scrape,enrich',
    MILLRACE_LOG_LEVEL: 'silent',
  });
  const worker = withWorker
    ? await openWorker({
        awaits: new AbortController().signal,
        config,
        databaseUrl: api.databaseUrl,
        registrations: await builtInRegistrations(config),
      })
    : null;
  const tenantId = await api.makeTenant();
  const member = await api.token(tenantId, 'member');
  const row = async (id: string) =>
    (await api.superuser.query('select * from millrace.links where id = $1', [id])).rows[0];
  return {
    api,
    tenantId,
    member,
    row,
    submit: async (url, sourceRef) => {
      const { data, errors } = await api.query(
        member,
        `mutation ($input: SubmitLinkInput!) { submitLink(input: $input) {
           ... on SubmitLinkPayload { link { uuid status } isNew } __typename ... on InvalidArgumentError { message } } }`,
        { input: { url, sourceRef } },
      );
      const id = data?.submitLink?.link?.uuid;
      if (id === undefined) throw new Error(JSON.stringify({ data, errors }));
      return id;
    },
    until: (id, ...statuses) => {
      let seen: Record<string, unknown> | undefined;
      return waitFor(
        async () => {
          seen = await row(id);
          return statuses.includes(String(seen?.['status'])) ? seen : null;
        },
        {
          describe: () => `link ${id} to be ${statuses.join(' or ')}: ${JSON.stringify(seen)}`,
        },
      );
    },
    close: async () => {
      await worker?.stop(0);
      await api.close();
    },
  };
}
