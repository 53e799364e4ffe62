import { globSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import SpreadLongFiles from './test/support/spread-long-files.ts';

/**
 * Files of these folders come one after another in the same few processes, which saves each of them loading the server anew: they ask
 * it, or a part of it, and leave nothing running (test/support/check-leaks.ts).
 */
const SHARED = ['api', 'core', 'events', 'fanout', 'queue', 'subscriptions'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

/** These measure or change what belongs to their process. */
const APART = [
  'test/api/{dependencies,http,outage,s3-videos,statement-counts,tus,uploads-documented}.test.ts',
  'test/events/{killed-writer,restart}.test.ts',
  'test/queue/{enqueue-and-wait,enqueue-groups,limits}.test.ts',
];

function project(
  name: string,
  options: Pick<NonNullable<TestProjectInlineConfiguration['test']>, 'include' | 'exclude' | 'isolate'>,
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      ...options,
      setupFiles: ['test/support/check-leaks.ts'],
      // Tests send signals, change users and look at what is left running.
      pool: 'forks',
      // Node itself loads the modules, as it does for users: it strips types faster than Vite rewrites modules, and from its cache
      // (test/support/global-setup.ts) has them in half the time. No test replaces a module, which alone would need Vite.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      // A test is not tried again beside what its first try left; `npm test` runs its whole file again (scripts/test.ts).
      retry: 0,
      testTimeout: 150_000,
      hookTimeout: 180_000,
    },
  };
}

const shared = globSync(SHARED, { cwd: import.meta.dirname, exclude: APART });

export default defineConfig({
  test: {
    // One server for both projects.
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
    sequence: { sequencer: SpreadLongFiles },
    // More than the two cores of CI: about half of the time tests wait, for leases, restarts and programs.
    maxWorkers: 3,
    teardownTimeout: 30_000,
    projects: [
      project('alone', { include: ['test/**/*.test.ts'], exclude: shared, isolate: true }),
      project('shared', { include: shared, isolate: false }),
    ],
  },
});
