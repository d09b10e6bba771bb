import { defineConfig } from 'vitest/config';

/** The real CLIs against a model server on loopback. `CONCLAVE_CONTRACT=full` repeats more. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/contract/**/*.test.ts'],
    globalSetup: ['test/helpers/build-first.ts', 'test/contract/install.ts'],
    // The programs are not ours: one of them loses the end of a long answer now and then.
    retry: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
