import { describe, expect, test } from 'vitest';
import { allSettings, loadConfig } from '../../src/config/config.ts';
import { DEFAULT_ABANDON_GRACE_MS } from '../../workers/runtime/grace.ts';

describe('loadConfig', () => {
  test('has a default for everything that needs one', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      port: 4000,
      dataDir: '.millrace',
      concurrency: 10,
      databaseUrl: null,
      echo: true,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('hands back what a stopping worker runs 5 s before Kubernetes would kill it, unless something else is set', () => {
    const { shutdownSeconds } = loadConfig({});
    expect(shutdownSeconds * 1_000 + DEFAULT_ABANDON_GRACE_MS).toBeLessThanOrEqual(25_000);
  });

  test('takes an empty variable as one that is not set', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4000, databaseUrl: null });
  });

  test('reports every problem at once, naming the variable and what is allowed', () => {
    const env = {
      PORT: '70000',
      MILLRACE_CONCURRENCY: 'many',
      MILLRACE_LOG_LEVEL: 'loud',
      MILLRACE_TYPO: '1',
      MILLRACE_ECHO: 'maybe',
    };
    try {
      loadConfig(env);
      expect.unreachable();
    } catch (error) {
      const problems = (error as { details: { problems: string[] } }).details.problems.join('\n');
      for (const variable of Object.keys(env)) expect(problems).toContain(variable);
      expect(problems).toContain('0 to 65535');
    }
  });

  test('takes addresses and networks of proxies, and refuses those that are none by name', () => {
    const proxies = (text: string) => loadConfig({ MILLRACE_TRUSTED_PROXIES: text }).trustedProxies;
    const good = ['10.0.0.0/8', '192.168.1.7', 'fd00::/8', '::1', '0.0.0.0/0', '::/128'];
    expect(proxies(good.join(', '))).toEqual(good);
    for (const bad of [
      '10.0.0.0/99',
      '10.0.0.0/33',
      'fd00::/129',
      '10.0.0',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      'abc',
      'fe80::1%eth0',
    ])
      expect(() => proxies(bad), bad).toThrow(
        /MILLRACE_TRUSTED_PROXIES.*addresses and networks as 10\.0\.0\.0\/8 or fd00::\/8/s,
      );
  });

  test('never shows a secret in a problem', () => {
    const secrets = allSettings().filter((setting) => setting.secret === true);
    expect(secrets.length).toBeGreaterThan(3);
    for (const { variable } of secrets) {
      expect(() => loadConfig({ [variable]: 'hunter2 x' })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
      );
    }
  });

  test('describes every setting', () => {
    for (const setting of allSettings()) expect(setting.description.length).toBeGreaterThan(10);
  });
});
