import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { type CutProxy, startCutProxy } from '../support/cut-proxy.ts';
import { type Program, startProgram } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';
import { clientOf, collect, movesOf } from './watching.ts';

let api: TestApi;
let proxy: CutProxy;
let worker: Program;
let tenantId: string;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  proxy = await startCutProxy(api.server.graphqlUrl);
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'tenant_admin');
  worker = startProgram('workers/main.ts', [], {
    DATABASE_URL: api.databaseUrl,
    MILLRACE_DATA_DIR: api.storageDir,
    MILLRACE_JOB_LOG_LEVEL: 'debug',
  });
});
afterAll(async () => {
  await worker.interrupt();
  await proxy.close();
  await api.close();
});

describe.each(['ws', 'sse'] as const)('over %s', (transport) => {
  it('a job is followed to its end and its log read line by line, each once, though the connection is cut', async () => {
    const client = clientOf(api, { token: () => token, transport, url: proxy.url });
    const caller = clientOf(api, { token });
    const payload = { message: 'hi', steps: 20, durationMs: 3_000 };
    const { job } = await caller.enqueue({ definition: 'echo', payload });
    const states = collect(client.watchJob(job.id, { untilFinal: true }));
    const lines = collect(client.watchJobLog(job.id));
    for (const count of [2, 8, 14]) {
      await waitFor(() => lines.values.length >= count || lines.ended(), {
        describe: `${count} lines`,
      });
      proxy.cut();
    }
    await waitFor(() => states.ended() && lines.ended(), { describe: 'both ends' });
    expect([states.ended(), lines.ended()]).toEqual(['done', 'done']);
    expect(states.values.at(-1)).toMatchObject({
      status: 'SUCCEEDED',
      isFinal: true,
      result: { message: 'hi' },
    });
    const versions = states.values.map((state) => BigInt(state?.version ?? 0));
    expect(versions).toEqual(versions.toSorted((a, b) => (a < b ? -1 : 1)));
    const numbers = lines.values.map(({ lineNo }) => lineNo);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(numbers.length).toBeGreaterThanOrEqual(20);
    // Another reader goes on behind any line.
    const rest = collect(client.watchJobLog(job.id, { after: lines.values[9]?.cursor ?? null }));
    await waitFor(() => rest.ended(), { describe: 'its end' });
    expect(rest.values).toEqual(lines.values.slice(10));
    client.close();
  });

  it('a job that is deleted comes as null, also when that happens while nobody is connected', async () => {
    const client = clientOf(api, { token: () => token, transport, url: proxy.url });
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
    const later = () =>
      clientOf(api, { token }).enqueue({ definition: 'echo', payload: { message: 'x' }, scheduledFor });
    const moves = movesOf(api, tenantId);
    for (const isCut of [false, true]) {
      const { job } = await later();
      const seen = collect(client.watchJob(job.id));
      await waitFor(() => seen.values.length === 1, { describe: 'the job' });
      if (isCut) {
        proxy.set('refuse');
        proxy.cut();
      }
      await moves.run(job.uuid);
      await moves.finish(job.uuid);
      await moves.remove(job.uuid);
      proxy.set('pass');
      await waitFor(() => seen.ended(), { describe: 'its end' });
      expect(seen.ended()).toBe('done');
      expect(seen.values.at(-1)).toBeNull();
    }
    client.close();
  });

  it('a video comes as it is, then as it changes; the counts of all jobs follow', async () => {
    const client = clientOf(api, { token: () => token, transport });
    const created = await client.request<{ createVideo: { video: { id: string; uuid: string } } }>(
      'mutation { createVideo(input: { title: "clip" }) { ... on CreateVideoPayload { video { id uuid } } } }',
    );
    const { video } = created.createVideo;
    const seen = collect(client.watchVideo(video.id));
    await waitFor(() => seen.values.length === 1, { describe: 'the video' });
    expect(seen.values[0]).toMatchObject({ id: video.id, title: 'clip', status: 'AWAITING_UPLOAD' });
    const counts = collect(client.watchJobSummary());
    await waitFor(() => counts.values.length > 0, { describe: 'the counts' });
    const queued = counts.values[0]?.counts.queued ?? 0;
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
    await client.enqueue({
      definition: 'echo',
      payload: { message: 'x' },
      scheduledFor,
      dedupeKey: randomUUID(),
    });
    await waitFor(() => counts.values.at(-1)?.counts.queued === queued + 1, { describe: 'one more' });
    client.close();
  });
});
