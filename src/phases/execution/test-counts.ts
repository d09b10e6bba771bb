// Counts the tests that a command ran, as far as its test runner tells.
import { readdir, realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { readPlainFile } from '../../git/disk.ts';
import { jsonIn } from '../../model/json.ts';
import { counted } from '../../model/wording.ts';
import { nullIfAbsent } from '../../store/system-error.ts';

/** What a run told of its tests. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** Tests that were skipped, are to be written, or were expected to fail. */
  readonly skipped: number;
  /**
   * The names of passed tests without their file, each as often as it passed; parts are separated by ` > `.
   * Null where a runner tells no names, or too many.
   */
  readonly names: readonly string[] | null;
  /** The runner that was seen to begin and did not say how it ended; null if there is none. */
  readonly cut: string | null;
}

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
  const added = {
    NODE_OPTIONS: reporter,
    PYTEST_ADDOPTS: `--junitxml="${posix.join(folder, pytestReport)}"`,
    GOFLAGS: '-v',
  };
  const all = Object.entries(added).map(([name, words]) => [
    name,
    [given[name] ?? '', words].join(' ').trim(),
  ]);
  return Object.fromEntries(all);
}

const pytestReport = 'pytest.xml';

/**
 * Reporter of node:test, which prints what the version of node would print anyway. It writes a file when it
 * begins and completes it at the end, so that an exit in between shows. A file without tests counts as one for
 * node, not here.
 */
const nodeReporter = `
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { spec, tap } from 'node:test/reporters';
const isFile = ({ nesting, name, file }) =>
  nesting === 0 && typeof file === 'string' && resolve(name) === file;
async function* count(source, write) {
  const sums = { passed: 0, failed: 0, skipped: 0, names: [] };
  const above = [];
  for await (const event of source) {
    yield event;
    const { type, data = {} } = event;
    if (type === 'test:start') above[data.nesting] = data.name;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isSuite = data.details?.type === 'suite';
    const isSkipped = (data.skip ?? data.todo ?? false) !== false;
    if (isSkipped && !isSuite) sums.skipped += 1;
    else if (type === 'test:fail') sums.failed += 1;
    else if (!isSuite && !isFile(data)) {
      sums.passed += 1;
      sums.names.push([...above.slice(0, data.nesting), data.name].join(' > '));
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

/** How many names are kept, and the length of one. */
const mostNames = 5_000;
const mostName = 200;
/** The length of a line that is read, in characters. */
const mostLine = 2_000;

interface Sums {
  passed: number;
  failed: number;
  skipped: number;
}

/** What was seen of one runner. */
interface Seen {
  /** How often it began, by its own words, and how often command lines start it. */
  began: number;
  started: number;
  /** The tests since the last summary, of runners that do not sum them up in it. */
  open: Sums;
  /** The summaries that it printed, in order. */
  readonly ends: Sums[];
  readonly names: string[];
}

interface Runner {
  /** The start of a command line, without what starts it in turn, e.g. `npx`. */
  readonly start: RegExp;
  readonly read: (line: string, seen: Seen) => void;
}

const runners: Readonly<Record<string, Runner>> = {
  node: {
    start: /^node\s(?:.*\s)?--test(?=\s|$)/,
    read(line, seen) {
      // A file without tests counts as a test for node.
      if (/^(?:✔|ok \d+ -) \S+\.[cm]?[jt]sx?(?: \([\d.]+ms\))?$/.test(line)) seen.open.passed -= 1;
      const [, key = '', value = ''] =
        /^(?:ℹ|#) (tests|pass|fail|cancelled|skipped|todo) (\d+)$/.exec(line) ?? [];
      const last = seen.ends.at(-1);
      if (key === 'tests') endWith(seen, none());
      else if (last !== undefined && key !== '') {
        last[key === 'pass' ? 'passed' : /^[fc]/.test(key) ? 'failed' : 'skipped'] += Number(value);
      }
    },
  },
  vitest: {
    start: /^vitest(?=\s|$)/,
    read(line, seen) {
      if (/^\s*RUN\s+v\d/.test(line)) seen.began += 1;
      else if (/^\s*BENCH\s/.test(line)) seen.began = 0;
      else if (/^(?:\s*Tests\s+(?:\d|no tests)|No test files found)/.test(line))
        seen.ends.push(sumsIn(line));
    },
  },
  jest: {
    start: /^jest(?=\s|$)/,
    read(line, { ends }) {
      if (/^(?:Tests:\s+\d.* total$|No tests found\b)/.test(line)) ends.push(sumsIn(line));
    },
  },
  mocha: {
    start: /^_?mocha(?=\s|$)(?!.*\s-R\s)/,
    read(line, { ends }) {
      const sums = /^\s+\d+ (?:passing \(.*\)|pending|failing)$/.test(line) ? sumsIn(line) : null;
      if (sums === null) return;
      if (line.includes('passing')) ends.push(sums);
      else if (ends.length > 0) ends.push(plus(ends.pop(), sums));
    },
  },
  pytest: {
    start: /^(?:pytest|py\.test)(?=\s|$)/,
    read(line, seen) {
      if (/^=+ test session starts =+$/.test(line)) seen.began += 1;
      else if (/^(?:=+ )?(?:no tests ran|\d+ [a-z]+(?:, \d+ [a-z]+)*) in [\d.]+s\b/.test(line)) {
        seen.ends.push(sumsIn(line));
      }
    },
  },
  unittest: {
    start: /^unittest(?=\s|$)/,
    read(line, seen) {
      const ran = /^Ran (\d+) tests? in /.exec(line)?.[1];
      if (ran !== undefined) seen.open = { passed: Number(ran), failed: 0, skipped: 0 };
      if (!/^(?:OK|FAILED|NO TESTS RAN)(?: \(.*\))?$/.test(line)) return;
      const failed = sum(line, /(?:(?<!expected )failures|errors|unexpected successes)=(\d+)/g);
      const skipped = sum(line, /(?:skipped|expected failures)=(\d+)/g);
      endWith(seen, { passed: -failed - skipped, failed, skipped });
    },
  },
  go: {
    start: /^go\s+(?:-C\s+\S+\s+)?test(?=\s|$)(?!.*\s-c(?=\s|$))/,
    read(line, seen) {
      const begins = /^(?:=== RUN|ok\s|\?\s.*\[no test files\]|testing: warning: no tests to run)/;
      const [, end = '', name = ''] =
        /^\s*--- (PASS|FAIL|SKIP): (\S+) \(/.exec(line) ??
        /^\{.*"Action":"(pass|fail|skip)".*"Test":"([^"]+)"/.exec(line) ??
        /^()(Benchmark\S+)\s+\d+\s+[\d.]+ ns\/op/.exec(line) ??
        [];
      if (seen.ends.length === 0 && (name !== '' || begins.test(line))) seen.ends.push(none());
      const [sums] = seen.ends;
      if (sums === undefined || name === '') return;
      add(seen, { sums, end: end.toLowerCase(), name: name.replaceAll('/', ' > ') });
    },
  },
  cargo: {
    start: /^cargo\s+(?:\+\S+\s+)?(?:test|t)(?=\s|$)/,
    read(line, seen) {
      if (/^running \d+ tests?$/.test(line)) seen.began += 1;
      else if (/^test result: /.test(line)) seen.ends.push(sumsIn(line));
      const name = /^test (\S+)(?: - should panic)? \.\.\. ok$/.exec(line)?.[1];
      if (name !== undefined) keepName(seen, name.split('::').at(-1) ?? name);
    },
  },
  ctest: {
    start: /^ctest(?=\s|$)(?!.*\s(?:-N|--show-only))/,
    read(line, seen) {
      if (/^Test project \//.test(line)) seen.began += 1;
      const [, name = '', end = ''] =
        /^\s*\d+\/\d+ Test\s+#\d+: (\S+) [ .]*(?:\*\*\*)?(Passed|Skipped|Not Run|[A-Z]\w+)/.exec(
          line,
        ) ?? [];
      if (name !== '') add(seen, { sums: seen.open, end: end.slice(0, 4).toLowerCase(), name });
      if (!/^(?:\d+% tests passed|No tests were found!!!|Total Tests: )/.test(line)) return;
      endWith(seen, none());
    },
  },
};

const none = (): Sums => ({ passed: 0, failed: 0, skipped: 0 });

function plus(a: Sums = none(), b: Sums = none()): Sums {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}

/** Ends a run with these numbers and those since the last summary. */
function endWith(seen: Seen, sums: Sums): void {
  seen.ends.push(plus(seen.open, sums));
  seen.open = none();
}

/** Adds one test by the word with which its runner tells how it ended. */
function add(
  seen: Seen,
  { sums, end, name }: { readonly sums: Sums; readonly end: string; readonly name: string },
): void {
  if (end === 'pass' || end === '') {
    sums.passed += 1;
    keepName(seen, name);
  } else sums[end === 'skip' || end === 'not ' ? 'skipped' : 'failed'] += 1;
}

function keepName({ names }: Seen, name: string): void {
  if (names.length <= mostNames) names.push(name.slice(0, mostName));
}

/** Reads a summary such as `2 passed, 1 skipped`. */
function sumsIn(line: string): Sums {
  return {
    passed: sum(line, /(\d+) (?:passed|passing|measured)\b/g),
    failed: sum(line, /(\d+) (?:failed|failing|errors?)\b/g),
    skipped: sum(line, /(\d+) (?:skipped|pending|todo|ignored|xfailed|expected fail)\b/g),
  };
}

function sum(line: string, pattern: RegExp): number {
  return [...line.matchAll(pattern)].reduce((all, [, number]) => all + Number(number), 0);
}

/** Reads the output of a command that got the counting variables for this folder. */
export function readTests(argv: readonly string[], folder: string): TestReader {
  const seen = new Map<string, Seen>();
  const of = (name: string): Seen => {
    const known = seen.get(name) ?? { began: 0, started: 0, open: none(), ends: [], names: [] };
    seen.set(name, known);
    return known;
  };
  const start = (command: string) => {
    for (const name of startedBy(command)) of(name).started += 1;
  };
  start(argv.join(' '));
  const isMake = argv.some((word) => /\bmake\b/.test(word));
  return {
    read(raw) {
      const line = stripVTControlCharacters(raw.slice(0, mostLine)).trimEnd();
      const command = /^(?:> |\$ )(.*)/.exec(line)?.[1] ?? (isMake ? line : undefined);
      if (command !== undefined) start(command);
      for (const [name, runner] of Object.entries(runners)) runner.read(line, of(name));
    },
    end: async () => {
      const reports = await readReports(folder);
      const told = Object.keys(runners).map(
        (name) => reports.get(name) ?? countsOf(name, of(name)),
      );
      const counts = told.flatMap((one) => one ?? []);
      return counts.length === 0 ? null : counts.reduce(join);
    },
  };
}

/** The runners that a command line starts, each as often as it does. */
function startedBy(line: string): readonly string[] {
  return line
    .slice(0, mostLine)
    .split(/[;&|(){}\n]/)
    .flatMap((part) => {
      const command = part
        .trim()
        .replace(startsAnother, '')
        .replace(/^[^\s]*\//, '');
      if (tellsOtherwise.test(command)) return [];
      return Object.entries(runners).flatMap(([name, { start }]) =>
        start.test(command) ? name : [],
      );
    });
}

/** The start of a command that starts another one. */
const startsAnother =
  /^(?:(?:\w+=\S*|@?npx|bunx|time|exec|env|(?:ba|z|da)?sh\s+-\w*c|(?:\S*\/)?python[\d.]*(?:\s+-[A-Z]+)*\s+-m|(?:uv|poetry|pdm|pipenv|hatch)\s+run|(?:npm|pnpm|yarn)\s+(?:exec|dlx)(?:\s+--)?|yarn|pnpm)\s+)+/;

/** Words with which a runner runs no test, or prints its summary in another form or not at all. */
const tellsOtherwise =
  /\s(?:--(?:version|help|no-run|collect-only|co|listTests|list|(?:test-)?reporters?|json)(?=[\s=]|$)|-h(?=\s|$)|(?:list|bench|typecheck)(?=\s|$))/;

/** What was seen of a runner, as counts; null if it was not there. */
function countsOf(name: string, { began, started, ends, names }: Seen): TestCounts | null {
  if (began + started + ends.length === 0) return null;
  // A program under test may print what looks like a summary; the runner has the last word.
  const sums = ends.slice(-Math.max(began, started, 1)).reduce(plus, none());
  const isCut = began > ends.length || ends.length === 0;
  const isWhole = names.length === sums.passed && names.length <= mostNames;
  return { ...sums, names: isWhole ? names : null, cut: isCut ? name : null };
}

function join(a: TestCounts, b: TestCounts): TestCounts {
  const names = a.names === null || b.names === null ? null : [...a.names, ...b.names];
  const isLong = names !== null && names.length > mostNames;
  return { ...plus(a, b), names: isLong ? null : names, cut: a.cut ?? b.cut };
}

const NodeReport = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  names: z.array(z.string()),
});

/** Reads the reports that runners wrote, by the names of the runners. */
async function readReports(folder: string): Promise<ReadonlyMap<string, TestCounts>> {
  const found = new Map<string, TestCounts>();
  const real = await nullIfAbsent(realpath(folder));
  for (const file of real === null ? [] : await readdir(real)) {
    const text = (await readPlainFile(real ?? '', file))?.toString('utf8');
    const name = file === pytestReport ? 'pytest' : 'node';
    if (text === undefined) continue;
    const counts = name === 'pytest' ? pytestCounts(text) : nodeCounts(text);
    const known = found.get(name);
    found.set(name, known === undefined ? counts : join(known, counts));
  }
  return found;
}

/** Reads a report of ours: `began`, and a line with the sums unless the process ended before. */
function nodeCounts(text: string): TestCounts {
  const { data } = NodeReport.safeParse(jsonIn(text.split('\n')[1] ?? ''));
  return data === undefined
    ? { ...none(), names: null, cut: 'node' }
    : { ...data, names: data.names.map((name) => name.slice(0, mostName)), cut: null };
}

/** Reads a JUnit report, where a test that passed is an element without content. */
function pytestCounts(text: string): TestCounts {
  const sums = none();
  const names: string[] = [];
  for (const element of text.split('<testcase ').slice(1)) {
    if (/<(?:failure|error)\b/.test(element)) sums.failed += 1;
    else if (element.includes('<skipped')) sums.skipped += 1;
    else {
      sums.passed += 1;
      names.push(plainXml(/\bname="([^"]*)"/.exec(element)?.[1] ?? '').slice(0, mostName));
    }
  }
  return { ...sums, names: names.length > mostNames ? null : names, cut: null };
}

function plainXml(text: string): string {
  const signs: Readonly<Record<string, string>> = {
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    amp: '&',
  };
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => signs[name] ?? whole);
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
 * Says which tests passed before and do not pass any more, without those that the task removes; numbers where
 * a runner tells no names. Null if none is gone.
 */
export function whatIsGone(
  before: Pick<TestCounts, 'passed' | 'names'>,
  after: Pick<TestCounts, 'passed' | 'names'>,
  removes: readonly string[],
): string | null {
  if (before.names === null || after.names === null) {
    const least = before.passed - removes.length;
    return after.passed >= least
      ? null
      : `${counted(before.passed, 'test')} passed before, and now ${after.passed}`;
  }
  const left = new Map<string, number>();
  for (const name of after.names) left.set(name, (left.get(name) ?? 0) + 1);
  const gone = before.names.filter((name) => {
    const number = left.get(name) ?? 0;
    left.set(name, number - 1);
    return number <= 0 && !removes.some((one) => isSame(name, one));
  });
  if (gone.length === 0) return null;
  const shown = gone.slice(0, 3).map((name) => `“${name}”`);
  const more = gone.length > shown.length ? ` and ${gone.length - shown.length} more` : '';
  return `${shown.join(', ')}${more} passed before and ${gone.length === 1 ? 'does' : 'do'} not now`;
}
