import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { echo } from '../../src/domains/echo/echo.ts';
import { findFreePort } from '../../src/postgres/free-port.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { openMetricsListener } from '../../src/telemetry/metrics-listener.ts';
import { openWorker } from '../../workers/open-worker.ts';
import { builtInRegistrations } from '../../workers/registrations.ts';
import { readMetrics } from '../support/metrics.ts';
import { openTestQueue, silentLog, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

describe('a worker with MILLRACE_METRICS_PORT', () => {
  let queue: TestQueue;
  let dataDir: string;
  beforeAll(async () => {
    queue = await openTestQueue([echo]);
    dataDir = await mkdtemp(join(tmpdir(), 'millrace-test-worker-metrics-'));
  });
  afterAll(async () => {
    await queue.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('shows its runs by definition and outcome, its claims and lease renewals, on a port of its own', async () => {
    const port = await findFreePort();
    const config = loadConfig({
      MILLRACE_METRICS_PORT: String(port),
      MILLRACE_DATA_DIR: dataDir,
      MILLRACE_LOG_LEVEL: 'silent',
    });
    const worker = await openWorker({
      awaits: new AbortController().signal,
      config,
      databaseUrl: queue.url,
      registrations: await builtInRegistrations(config),
      exitWhenBlocked: false,
    });
    try {
      const read = async () => (await readMetrics(`http://127.0.0.1:${port}/metrics`, null)).page;
      const tenantId = await queue.makeTenant();
      await queue.queue.enqueue(tenantId, [
        { definitionKey: 'echo', payload: { message: 'a' } },
        { definitionKey: 'echo', payload: { message: 'b' } },
      ]);
      const runs = 'millrace_worker_runs_total{definition="echo",outcome="succeeded"}';
      await waitFor(async () => (await read()).get(runs) === 2, { describe: 'two runs to be counted' });
      const page = await read();
      expect(page.get('millrace_worker_claimed_jobs_total')).toBe(2);
      expect(page.get('millrace_worker_claim_duration_seconds_count')).toBeGreaterThanOrEqual(1);
      expect(page.get('millrace_worker_claim_latency_seconds_count{definition="echo"}')).toBe(2);
      expect(page.get('millrace_worker_run_duration_seconds_bucket{definition="echo",le="+Inf"}')).toBe(2);
      expect(page.get('millrace_worker_running_jobs')).toBe(0);
      expect(page.get('millrace_worker_slots')).toBe(10);
      expect(page.get('millrace_worker_leases_lost_total')).toBe(0);
      expect(page.has('millrace_worker_lease_renewals_total')).toBe(true);
      expect(page.has('millrace_maintenance_leading')).toBe(true);
      expect((await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).status).toBe(
        404,
      );
    } finally {
      await worker.stop();
    }
  });
});

describe('the port of its own', () => {
  it('is refused on an address that others reach, unless there is a token', async () => {
    const metrics = createMetrics();
    const open = (env: Record<string, string>) =>
      openMetricsListener({
        config: loadConfig({ MILLRACE_METRICS_PORT: '0', ...env }),
        metrics,
        log: silentLog,
      });
    await expect(open({ MILLRACE_METRICS_HOST: '0.0.0.0' })).rejects.toMatchObject({
      code: 'ConfigInvalid',
      details: { field: 'MILLRACE_METRICS_TOKEN' },
    });
    const listener = await open({
      MILLRACE_METRICS_HOST: '0.0.0.0',
      MILLRACE_METRICS_TOKEN: 'a-token-for-metrics',
    });
    const url = listener?.url.replace('0.0.0.0', '127.0.0.1') ?? '';
    expect((await readMetrics(url, null)).status).toBe(401);
    expect((await readMetrics(url, 'a-token-for-metrics')).status).toBe(200);
    await listener?.close();
    await listener?.close();
  });

  it('is not opened without the setting', async () => {
    expect(
      await openMetricsListener({ config: loadConfig({}), metrics: createMetrics(), log: silentLog }),
    ).toBeNull();
  });
});
