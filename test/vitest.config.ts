// Says how the tests run: one project for each battery, each also by itself with `--project NAME`.
import { defineConfig } from 'vitest/config';
import { batteryTimes } from './helpers/battery-times.ts';
import { retriedReporter } from './helpers/retried-reporter.ts';

const isShort = (battery: string) => process.env[`CONCLAVE_${battery}`] === 'short';

const journeys = ['decision', 'execute', 'hostile', 'journey', 'keys', 'review', 'run'];
const terminal = isShort('TERMINAL')
  ? journeys.map((name) => `test/e2e/tui/${name}.test.ts`)
  : ['test/e2e/tui/**/*.test.ts'];

/** Each failure by its category; answers, read-only planning, programs known by name, and a whole session of three CLIs. */
const essentials = ['failures/*', 'answers', 'planning', 'presets', 'workflow'];
const contract = isShort('CONTRACT')
  ? essentials.map((name) => `test/contract/${name}.test.ts`)
  : ['test/contract/**/*.test.ts'];

/** Real programs on a busy machine may miss a time limit once; the reporter counts how often. */
const oneRetry = 1;

/**
 * A worker for each file costs a quarter of the time; no test changes what the next file sees. Tests
 * that start programs wait for a fifth of theirs, so that two cores have room for a third worker.
 */
const shared = {
  isolate: false,
  maxWorkers: 3,
  sequence: { groupOrder: 0 },
};

/**
 * Each of these runs after the others: real CLIs have time limits of their own. Their programs mostly
 * wait, so the short forms take several files at a time; the whole ones measure times, and take one.
 */
const after = (battery: string, groupOrder: number, filesAtOnce: number) => ({
  maxWorkers: isShort(battery) ? filesAtOnce : 1,
  sequence: { groupOrder },
});

/** What is waited for comes, or the test takes too long: how fast a machine is decides nothing. */
const waits = { expect: { poll: { timeout: 150_000 } } };

const root = new URL('..', import.meta.url).pathname;

export default defineConfig({
  test: {
    root,
    globalSetup: ['test/helpers/build-first.ts'],
    tags: [{ name: 'short', description: 'Runs also in the short form of its battery.' }],
    reporters: [batteryTimes(), retriedReporter({ most: 2 }), 'default'],
    projects: [
      {
        test: {
          name: 'unit',
          // Its short-lived garbage is collected with less CPU by one thread.
          execArgv: ['--single-threaded-gc'],
          root,
          setupFiles: ['test/helpers/use-memory.ts'],
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/faults/**',
            'test/contract/**',
            'test/e2e/**',
            'test/library/**',
            'test/web/**',
            'test/machines/**',
          ],
          // Only a test that hangs takes that long: on a busy machine a journey may need half of it.
          testTimeout: 180_000,
          hookTimeout: 60_000,
          retry: 0,
          ...waits,
          ...shared,
        },
      },
      {
        // The whole program, with real processes and repositories. Its short form has the marked tests.
        test: {
          name: 'e2e',
          root,
          setupFiles: ['test/helpers/skip-unmarked.ts'],
          include: ['test/e2e/**/*.test.ts', 'test/library/**/*.test.ts'],
          exclude: ['test/e2e/tui/**'],
          testTimeout: 180_000,
          hookTimeout: 60_000,
          retry: 0,
          ...waits,
          ...shared,
        },
      },
      {
        // Agents on other machines: over pipes, by a real sshd, on real Postgres where these are installed.
        test: {
          name: 'machines',
          root,
          setupFiles: ['test/helpers/skip-unmarked.ts'],
          include: ['test/machines/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 60_000,
          retry: 0,
          ...waits,
          ...shared,
        },
      },
      {
        // Journeys through the terminal UI: real programs in a real pty. Its short form has one size.
        test: {
          name: 'terminal',
          root,
          include: terminal,
          testTimeout: 180_000,
          hookTimeout: 60_000,
          retry: oneRetry,
          ...waits,
          ...shared,
        },
      },
      {
        // Kills and races, by the hundred; `CONCLAVE_FAULTS=short` runs a thirtieth of them.
        test: {
          name: 'faults',
          root,
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 3_600_000,
          retry: oneRetry,
          ...waits,
          ...after('FAULTS', 1, 3),
        },
      },
      {
        // The real CLIs against a model server on loopback; see `contract/extent.ts` for its forms.
        test: {
          name: 'contract',
          root,
          include: contract,
          globalSetup: ['test/contract/install.ts'],
          testTimeout: 240_000,
          hookTimeout: 60_000,
          retry: oneRetry,
          ...waits,
          ...after('CONTRACT', 2, 3),
        },
      },
    ],
  },
});
