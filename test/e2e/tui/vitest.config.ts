import { defineConfig } from 'vitest/config';

/** Journeys through the terminal UI: real programs in a real pty. */
export default defineConfig({
  test: {
    root: new URL('../../..', import.meta.url).pathname,
    include: ['test/e2e/tui/**/*.test.ts'],
    globalSetup: ['test/helpers/build-first.ts'],
    testTimeout: 60_000,
    // Real processes on a busy machine: what fails in CI is tried once more, and named as such.
    retry: process.env['CI'] === undefined ? 0 : 1,
    hookTimeout: 60_000,
    maxWorkers: 2,
    isolate: false,
  },
});
