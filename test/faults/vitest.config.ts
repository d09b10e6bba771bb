import { defineConfig } from 'vitest/config';

/** The slow batteries. `CONCLAVE_FAULTS=short` runs a tenth of them, two files at a time. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/helpers/build-first.ts'],
    testTimeout: 1_800_000,
    // Real processes on a busy machine: what fails in CI is tried once more, and named as such.
    retry: process.env['CI'] === undefined ? 0 : 1,
    fileParallelism: process.env['CONCLAVE_FAULTS'] === 'short',
    maxWorkers: 2,
  },
});
