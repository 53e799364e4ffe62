import { defineConfig } from 'vitest/config';

export default defineConfig({
  // graphql carries two builds, and its objects are only good in the one that made them. Node takes `main` for everybody;
  // Vite would take `module` for our files alone.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/leaks.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
    // Processes of their own: tests send signals, change users and look at what is left running.
    pool: 'forks',
    maxWorkers: 2,
    // A test is not tried again beside what its first try left; `npm test` runs its whole file again (scripts/test.ts).
    retry: 0,
    testTimeout: 150_000,
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
  },
});
