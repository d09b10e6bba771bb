import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/faults/**', 'test/contract/**', 'test/e2e/tui/**'],
    globalSetup: ['test/helpers/build-first.ts'],
    // Only a test that fails takes that long: on a busy machine a journey may need half of it.
    testTimeout: 60_000,
    // Real processes on a busy machine: what fails in CI is tried once more, and named as such.
    retry: process.env['CI'] === undefined ? 0 : 1,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // A worker for each file costs a quarter of the time; no test changes what the next file sees.
    isolate: false,
  },
});
