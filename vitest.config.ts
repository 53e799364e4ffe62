import { globSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import LongestFirst from './test/support/longest-first.ts';
import { opensDatabase } from './test/support/opens-database.ts';
import { WAIT_MS } from './test/support/wait.ts';

/**
 * Files of these folders come one after another in the same few processes, which saves each of them loading
 * the server again: they ask it, or a part of it, and leave nothing running (test/support/check-leaks.ts).
 */
const SHARED = [
  'cli',
  'client',
  'core',
  'db',
  'domains',
  'events',
  'fanout',
  'graphql',
  'http',
  'identity',
  'library',
  'operations',
  'payloads',
  'queue',
  'rest',
  'runs',
  'size',
  'storage',
  'telemetry',
  'workers/handlers/echo',
  'workers/maintenance',
  'workers/runtime',
].map((folder) => `test/${folder}/**/*.test.ts`);

/** These measure or change what belongs to their process. */
const APART = [
  'test/bench/soak.test.ts',
  'test/client/{bundle,documented}.test.ts',
  'test/domains/videos/s3-videos.test.ts',
  'test/events/{killed-writer,restart}.test.ts',
  'test/graphql/{dependencies,statement-counts}.test.ts',
  'test/http/{http,outage,tus,uploads-documented}.test.ts',
  'test/jobs/{bounded-checks,payload-threads}.test.ts',
  'test/queue/{enqueue-and-wait,enqueue-groups,limits}.test.ts',
  'test/react/server-side.test.ts',
  'test/repository/{check-runner,generate,types-and-style}.test.ts',
  'test/workers/runtime/{cpu-meter,lean-memory}.test.ts',
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
      // A server's start and each test's answers make much that lives briefly: with room for more of it, less
      // is copied.
      execArgv: ['--max-semi-space-size=64'],
      // Node itself loads the modules, as it does for users: it strips types faster than Vite rewrites
      // modules, and from its cache (test/support/global-setup.ts) has them in half the time. No test
      // replaces a module, which alone would need Vite.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      // A test is not tried again beside what its first try left; `npm test` runs its whole file again
      // (scripts/test.ts).
      retry: 0,
      // No test has a limit of its own: it would be a guess of how fast the machine is. What waits for
      // something waits 400 s (test/support/wait.ts) and then says for what, which is before these.
      testTimeout: 900_000,
      hookTimeout: 900_000,
      expect: { poll: { timeout: WAIT_MS } },
    },
  };
}

const root = import.meta.dirname;
const known = new Map<string, boolean>();
/** These open no database and start nothing: one process goes through them in seconds. */
const pure = globSync('test/**/*.test.ts', { cwd: root, exclude: APART })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !opensDatabase(root, path, known));
const shared = globSync(SHARED, { cwd: root, exclude: [...APART, ...pure] });

export default defineConfig({
  test: {
    // One server for all projects.
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // More than the two cores of CI: about half of the time tests wait, for leases, restarts and programs.
    maxWorkers: 4,
    teardownTimeout: 30_000,
    projects: [
      project('alone', { include: ['test/**/*.test.ts'], exclude: [...shared, ...pure], isolate: true }),
      project('shared', { include: shared, isolate: false }),
      project('pure', { include: pure, isolate: false }),
    ],
  },
});
