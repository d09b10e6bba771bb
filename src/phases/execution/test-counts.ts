// Counts the tests that a command ran, as far as its test runner tells.
import { readdir, realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import { z } from 'zod';
import { readPlainFile } from '../../git/disk.ts';
import { TestCounts } from '../../model/check-record.ts';
import { jsonIn } from '../../model/json.ts';
import { counted } from '../../model/wording.ts';
import { nullIfAbsent } from '../../store/system-error.ts';
import { joinCounts, mostName, mostNames, readOutput } from './runner-output.ts';

export interface TestReader {
  /** Reads the next line of the output, of either stream. */
  read(line: string): void;
  /** Returns the counts once the command has ended; null if no runner was seen. */
  end(): Promise<TestCounts | null>;
}

/**
 * Returns the variables that ask runners for reports, made from those that the check gets anyway. `folder` is
 * an empty folder for the reports that the check may write to, outside of its work tree; each run needs its own.
 */
export function countingVariables(
  folder: string,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const source = Buffer.from(`const folder = ${JSON.stringify(folder)};${nodeReporter}`);
  const reporter = `--test-reporter=data:text/javascript;base64,${source.toString('base64')}`;
  const join = (name: string, words: string) => `${given[name] ?? ''} ${words}`.trim();
  return {
    NODE_OPTIONS: join('NODE_OPTIONS', reporter),
    PYTEST_ADDOPTS: join('PYTEST_ADDOPTS', `--junitxml="${posix.join(folder, pytestReport)}"`),
    GOFLAGS: join('GOFLAGS', '-v'),
  };
}

const pytestReport = 'pytest.xml';

/**
 * Reporter of node:test, which prints what the version of node would print anyway. It writes a file when it
 * begins and completes it at the end, so that an exit in between shows. A file without tests counts as one for
 * node, not here.
 */
const nodeReporter = `
const { appendFileSync } = await import('node:fs');
const { resolve } = await import('node:path');
const { Readable } = await import('node:stream');
const { spec, tap } = await import('node:test/reporters');
const isFile = ({ nesting, name, file }) =>
  nesting === 0 && typeof file === 'string' && resolve(name) === file;
async function* count(source, write) {
  const sums = { passed: 0, failed: 0, skipped: 0, names: [], failing: [] };
  const above = [];
  for await (const event of source) {
    yield event;
    const { type, data = {} } = event;
    if (type === 'test:start') above[data.nesting] = data.name;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isSuite = data.details?.type === 'suite';
    const isSkipped = (data.skip ?? data.todo ?? false) !== false;
    if (isSkipped && !isSuite) sums.skipped += 1;
    else if (isSuite || isFile(data)) continue;
    else {
      const hasPassed = type === 'test:pass';
      sums[hasPassed ? 'passed' : 'failed'] += 1;
      const names = hasPassed ? sums.names : sums.failing;
      names.push([...above.slice(0, data.nesting), data.name].join(' > '));
    }
  }
  write(sums);
}
export default async function* report(source) {
  const write = (value) => appendFileSync(folder + '/node-' + process.pid + '.json', JSON.stringify(value) + '\\n');
  write('began');
  const events = count(source, write);
  if (parseInt(process.versions.node) < 23) yield* tap(events);
  else yield* Readable.from(events).pipe(new spec());
}`;

/** True if a command failed because it cannot be asked for a report: it has to run again without these variables. */
export function refusesReport(exitCode: number | null, output: string): boolean {
  return exitCode !== 0 && /--test-reporter|--junitxml/.test(output);
}

/** Reads the output of a command that got the counting variables for this folder. */
export function readTests(argv: readonly string[], folder: string): TestReader {
  const output = readOutput(argv);
  return {
    read: (line) => output.read(line),
    end: async () => {
      const told = new Map([...output.counts(), ...(await readReports(folder))]);
      return told.size === 0 ? null : [...told.values()].reduce(joinCounts);
    },
  };
}

const NodeReport = TestCounts.omit({ cut: true }).extend({ names: z.array(z.string()) });

/** Reads the reports that runners wrote, by the names of the runners. */
async function readReports(folder: string): Promise<ReadonlyMap<string, TestCounts>> {
  const found = new Map<string, TestCounts>();
  const real = (await nullIfAbsent(realpath(folder))) ?? '';
  for (const file of real === '' ? [] : await readdir(real)) {
    const text = (await readPlainFile(real, file))?.toString('utf8');
    if (text === undefined) continue;
    const name = file === pytestReport ? 'pytest' : 'node';
    const counts = name === 'pytest' ? pytestCounts(text) : nodeCounts(text);
    const known = found.get(name);
    found.set(name, known === undefined ? counts : joinCounts(known, counts));
  }
  return found;
}

/** Reads a report of ours: `began`, and a line with the sums unless the process ended before. */
function nodeCounts(text: string): TestCounts {
  const { data } = NodeReport.safeParse(jsonIn(text.split('\n')[1] ?? ''));
  return data === undefined
    ? { passed: 0, failed: 0, skipped: 0, names: null, cut: 'node' }
    : { ...data, names: shorten(data.names), failing: shorten(data.failing), cut: null };
}

const shorten = (names: readonly string[] = []) => names.map((name) => name.slice(0, mostName));

/** Reads a JUnit report, where a test that passed is an element without content. */
function pytestCounts(text: string): TestCounts {
  const sums = { passed: 0, skipped: 0 };
  const names: string[] = [];
  // A test that fails and then cannot be taken down is there twice.
  const failures = new Map<string | undefined, string>();
  for (const element of text.split('<testcase ').slice(1)) {
    const name = plainXml(/\bname="([^"]*)"/.exec(element)?.[1] ?? '');
    if (/<(?:failure|error)\b/.test(element)) {
      // A file that cannot be read is a failure without a class.
      const isFile = element.startsWith('classname=""');
      failures.set(/^[^>]*\bname="[^"]*"/.exec(element)?.[0], isFile ? '' : name);
    } else if (element.includes('<skipped')) sums.skipped += 1;
    else {
      sums.passed += 1;
      names.push(name);
    }
  }
  const told = names.length > mostNames ? null : shorten(names);
  const failing = shorten([...failures.values()].filter((name) => name !== ''));
  return { ...sums, failed: failures.size, names: told, failing, cut: null };
}

function plainXml(text: string): string {
  const signs = new Map(Object.entries({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }));
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => signs.get(name) ?? whole);
}

/**
 * Explains as a clause why a run that ended with 0 is no pass; null if it is one, also where no runner was
 * seen. `name` is that of a check of kind `test`.
 */
export function whyNoPass(counts: TestCounts | null, name?: string): string | null {
  if (counts === null) return null;
  const { cut, passed, failed, skipped, names } = counts;
  if (cut !== null) return `${cut} began and did not say how its tests ended`;
  if (passed === 0) {
    const others = counted(skipped, 'test was', 'tests were');
    if (skipped > 0) return `no test passed, ${others} skipped or expected to fail`;
    return failed > 0 ? `no test passed, ${failed} failed` : 'no test ran';
  }
  const isThere = name === undefined || names === null || names.some((one) => isCalled(one, name));
  return isThere ? null : `no test named “${name}” passed`;
}

/** True if the name contains all parts of what a plan calls the test. */
function isCalled(name: string, wanted: string): boolean {
  return wanted.split(' > ').every((part) => fold(name).includes(fold(part)));
}

/** True if a name, or its last part, is what a plan calls the test. */
function isSame(name: string, wanted: string): boolean {
  return [name, name.split(' > ').at(-1) ?? ''].some((one) => fold(one) === fold(wanted));
}

function fold(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

/**
 * Says which tests that passed or failed before do not pass now, by their names or their number, without those
 * that the task removes: a test that fails must not go, either. Null if none is gone.
 */
export function whatIsGone(
  { passed, failed, names: before, failing = [] }: Omit<TestCounts, 'skipped' | 'cut'>,
  after: Pick<TestCounts, 'passed' | 'names'>,
  removes: readonly string[],
): string | null {
  const left = [...(after.names ?? [])];
  const ran = [...(before ?? []), ...failing];
  const gone = (after.names === null ? [] : ran).filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0 && !removes.some((one) => isSame(name, one));
  });
  if (gone.length > 0) {
    const shown = gone.slice(0, 3).map((name) => `“${name}”`);
    const more = gone.length > shown.length ? ` and ${gone.length - shown.length} more` : '';
    return `${shown.join(', ')}${more} ran before and ${gone.length === 1 ? 'does' : 'do'} not pass now`;
  }
  if (after.passed >= passed + failed - removes.length) return null;
  const others = failed === 0 ? '' : ` and ${failed} failed`;
  return `${counted(passed, 'test')} passed${others} before, and ${after.passed} ${after.passed === 1 ? 'passes' : 'pass'} now`;
}
