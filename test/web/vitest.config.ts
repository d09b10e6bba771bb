// Says how the battery in a browser runs: by itself, outside of the time of the others.
import { defineConfig } from 'vitest/config';

const root = new URL('../..', import.meta.url).pathname;

export default defineConfig({
  test: {
    name: 'web',
    root,
    globalSetup: ['test/helpers/build-first.ts'],
    include: ['test/web/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    retry: 0,
    maxWorkers: 1,
    expect: { poll: { timeout: 60_000 } },
  },
});
