// Reads the output of test runners line by line: how each is started, what it says of a test and of a run.
import { stripVTControlCharacters } from 'node:util';
import type { TestCounts } from '../../model/check-record.ts';

/** How many names are kept, and the length of one. */
export const mostNames = 2_000;
export const mostName = 200;
/** The length of a line that is read, in characters. */
const mostLine = 2_000;

/** Reads the output of a command, and tells what each runner that was seen said of its tests. */
export function readOutput(argv: readonly string[]): {
  read(line: string): void;
  counts(): ReadonlyMap<string, TestCounts>;
} {
  const all = Object.entries(runners).map(([name, runner]) => {
    const seen: SeenRunner = { began: 0, started: 0, empty: 0, tests: none(), ends: [], names: [] };
    return { name, runner, seen };
  });
  const start = (command: string) => {
    for (const part of commandsIn(command)) {
      for (const { runner, seen } of all) if (runner.start.test(part)) seen.started += 1;
    }
  };
  start(argv.join(' '));
  const isMake = argv.some((word) => /\bmake\b/.test(word));
  return {
    read(raw) {
      const line = stripVTControlCharacters(raw.slice(0, mostLine)).trimEnd();
      // npm and yarn print the command line with a sign in front, make without.
      const command = /^(?:> |\$ )(.*)/.exec(line)?.[1] ?? (isMake ? line : undefined);
      if (command !== undefined) start(command);
      for (const { runner, seen } of all) readLine(line, runner, seen);
    },
    counts: () =>
      new Map(
        all.flatMap(({ name, seen }) => {
          const counts = countsOf(name, seen);
          return counts === null ? [] : [[name, counts] as const];
        }),
      ),
  };
}

/** Numbers of tests by how they ended. */
type Sums = Record<'passed' | 'failed' | 'skipped', number>;

/** What was seen of one runner. */
interface SeenRunner {
  /** How often it began, by its own words, and how often command lines start it. */
  began: number;
  started: number;
  /** The files without tests since the last summary. */
  empty: number;
  /** The tests of which it printed a line each, where its summary tells no numbers. */
  readonly tests: Sums;
  /** The summaries that it printed, in order. */
  readonly ends: Sums[];
  readonly names: string[];
}

/** The lines of a runner. */
interface Runner {
  /** The start of a command line, without what starts it in turn, e.g. `npx`. */
  readonly start: RegExp;
  readonly begins?: RegExp;
  /** The first line of a summary, and further ones. */
  readonly sums: RegExp;
  readonly more?: RegExp;
  /** A file that it counts as a test that passed, though it has none. */
  readonly empty?: RegExp;
  /** A test, with groups `end` and `name`. */
  readonly tests?: readonly RegExp[];
  /** A test that passed and that the summary counts, with the group `name`. */
  readonly passed?: RegExp;
}

/** The runners, by their names. */
const runners: Readonly<Record<string, Runner>> = {
  node: {
    start: /^node\s(?:.*\s)?--test(?=\s|$)/,
    sums: /^(?:ℹ|#) tests \d+$/,
    // Files that fail count as tests, too, so that their number says nothing.
    more: /^(?:ℹ|#) (?:pass|skipped|todo) \d+$/,
    empty: /^(?:✔|ok \d+ -) \S+\.[cm]?[jt]sx?(?: \([\d.]+ms\))?$/,
  },
  vitest: {
    start: /^vitest(?=\s|$)/,
    sums: /^(?:\s*Tests\s+(?:\d|no tests)|No test files found)/,
  },
  jest: { start: /^jest(?=\s|$)/, sums: /^(?:Tests:\s+\d.* total$|No tests found\b)/ },
  mocha: {
    start: /^_?mocha(?=\s|$)(?!.*\s-R\s)/,
    sums: /^\s+\d+ passing \(.*\)$/,
    more: /^\s+\d+ (?:pending|failing)$/,
  },
  pytest: {
    start: /^(?:pytest|py\.test)(?=\s|$)/,
    begins: /^=+ test session starts =+$/,
    sums: /^(?:=+ )?(?:no tests ran|\d+ [a-z]+(?:, \d+ [a-z]+)*) in [\d.]+s\b/,
  },
  unittest: {
    start: /^unittest(?=\s|$)/,
    sums: /^Ran \d+ tests? in /,
    more: /^(?:OK|FAILED|NO TESTS RAN)(?: \(.*\))?$/,
  },
  go: {
    start: /^go\s+(?:-C\s+\S+\s+)?test(?=\s|$)(?!.*\s-c(?=\s|$))/,
    sums: /^(?:=== RUN|ok\s|\?\s.*\[no test files\]|testing: warning: no tests to run)|^\{.*"Action":"run"/,
    tests: [
      /^\s*--- (?<end>PASS|FAIL|SKIP): (?<name>\S+) \(/,
      /^\{.*"Action":"(?<end>pass|fail|skip)".*"Test":"(?<name>[^"]+)"/,
      /^(?<name>Benchmark\S+)\s+\d+\s+[\d.]+ ns\/op/,
    ],
  },
  cargo: {
    start: /^cargo\s+(?:\+\S+\s+)?(?:test|t)(?=\s|$)/,
    begins: /^running \d+ tests?$/,
    sums: /^test result: /,
    passed: /^test (?:\S+::)?(?<name>\w+)(?: - should panic)? \.\.\. ok$/,
  },
  ctest: {
    start: /^ctest(?=\s|$)(?!.*\s(?:-N|--show-only))/,
    begins: /^Test project \//,
    sums: /^(?:\d+% tests passed|No tests were found!!!|Total Tests: )/,
    tests: [
      /^\s*\d+\/\d+ Test\s+#\d+: (?<name>\S+) [ .]*(?:\*\*\*)?(?<end>Passed|Skipped|Not Run|[A-Z]\w+)/,
    ],
  },
};

const none = (): Sums => ({ passed: 0, failed: 0, skipped: 0 });

function plus(a: Sums, b: Sums): Sums {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}

function readLine(line: string, runner: Runner, seen: SeenRunner): void {
  const { begins, sums, more, empty, tests = [], passed } = runner;
  const { ends, names } = seen;
  if (begins?.test(line) === true) seen.began += 1;
  if (empty?.test(line) === true) seen.empty += 1;
  const isFirst = sums.test(line);
  if (isFirst) ends.push({ ...none(), passed: -seen.empty });
  if (isFirst) seen.empty = 0;
  const last = ends.at(-1);
  if (last !== undefined && (isFirst || more?.test(line) === true)) addNumbers(last, line);
  for (const pattern of tests) {
    const groups = pattern.exec(line)?.groups;
    if (groups === undefined) continue;
    const { end = 'pass', name = '' } = groups;
    const how = /^(?:(pass)|(skip|not run))/i.exec(end) ?? [];
    seen.tests[how[1] ? 'passed' : how[2] ? 'skipped' : 'failed'] += 1;
    if (how[1]) keepName(names, name.replaceAll('/', ' > '));
  }
  const name = passed?.exec(line)?.groups?.['name'];
  if (name !== undefined) keepName(names, name);
}

function keepName(names: string[], name: string): void {
  if (names.length <= mostNames) names.push(name.slice(0, mostName));
}

/** Adds the numbers of a line such as `2 passed, 1 skipped`. */
function addNumbers(sums: Sums, line: string): void {
  const told = (pattern: RegExp) =>
    [...line.matchAll(pattern)].reduce((all, [, one, other]) => all + Number(one ?? other), 0);
  sums.passed += told(/(\d+) (?:passed|passing|measured)\b|(?:^Ran|[ℹ#] pass) (\d+)/g);
  sums.failed += told(/(\d+) (?:failed|failing|errors?)\b/g);
  sums.skipped += told(
    /(\d+) (?:skipped|pending|todo|ignored|xfailed|expected fail)\b|[ℹ#] (?:skipped|todo) (\d+)/g,
  );
  // unittest counts these among those that it ran; a test may fail in several parts, and a set-up without any test.
  const faults = told(/(?:(?<!expected )failures|errors|unexpected successes)=(\d+)/g);
  const failed = Math.min(faults, Math.max(0, sums.passed));
  const skipped = told(/(?:skipped|expected failures)=(\d+)/g);
  sums.passed -= failed + skipped;
  sums.failed += failed;
  sums.skipped += skipped;
}

/** The commands of a shell line that may start a runner, without what starts them in turn. */
function commandsIn(line: string): readonly string[] {
  return line
    .slice(0, mostLine)
    .split(/[;&|(){}\n]/)
    .map((part) =>
      part
        .trim()
        .replace(startsAnother, '')
        .replace(/^\S*\//, ''),
    )
    .filter((command) => !tellsOtherwise.test(command));
}

/** The start of a command that starts another one. */
const startsAnother =
  /^(?:(?:\w+=\S*|@?npx|bunx|time|exec|env|(?:ba|z|da)?sh\s+-\w*c|(?:\S*\/)?python[\d.]*(?:\s+-[A-Z]+)*\s+-m|(?:uv|poetry|pdm|pipenv|hatch)\s+run|(?:npm|pnpm|yarn)\s+(?:exec|dlx)(?:\s+--)?|yarn|pnpm)\s+)+/;

/** Words with which a runner runs no test, or prints its summary in another form or not at all. */
const tellsOtherwise =
  /\s(?:--(?:version|help|no-run|collect-only|co|listTests|list|(?:test-)?reporters?|json)(?=[\s=]|$)|-h(?=\s|$)|(?:list|bench|typecheck)(?=\s|$))/;

/** What was seen of a runner, as counts; null if it was not there. */
function countsOf(
  name: string,
  { began, started, tests, ends, names }: SeenRunner,
): TestCounts | null {
  if (began + started + ends.length === 0) return null;
  // A program under test may print what looks like a summary; the runner has the last word.
  const sums = ends.slice(-Math.max(began, started, 1)).reduce(plus, tests);
  const isCut = began > ends.length || ends.length === 0;
  const passed = Math.max(0, sums.passed);
  const isWhole = names.length === passed && names.length <= mostNames;
  return { ...sums, passed, names: isWhole ? names : null, cut: isCut ? name : null };
}

/** Adds up what runners told. */
export function joinCounts(a: TestCounts, b: TestCounts): TestCounts {
  const names = a.names === null || b.names === null ? null : [...a.names, ...b.names];
  const isLong = names !== null && names.length > mostNames;
  return { ...plus(a, b), names: isLong ? null : names, cut: a.cut ?? b.cut };
}
