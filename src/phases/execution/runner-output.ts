// Reads the output of test runners line by line: how each is started, what it says of a test and of a run.
import { stripVTControlCharacters } from 'node:util';
import { nameOfPath } from '../../git/paths.ts';
import type { TestCounts } from '../../model/check-record.ts';
import { patternOf } from './runner-files.ts';

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
  const watched = runners.map(watchRunner);
  const start = (line: string) => {
    for (const part of line.slice(0, mostLine).split(/[;&|(){}\n]/)) {
      const command = commandIn(part);
      if (!tellsOtherwise.test(command)) for (const one of watched) one.start(command);
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
      const plain = line.trim().replaceAll(/\s+/g, ' ');
      for (const one of watched) one.read(plain);
    },
    counts: () => new Map(watched.flatMap((one) => one.counts())),
  };
}

/** Numbers of tests by how they ended. */
type Sums = Record<'passed' | 'failed' | 'skipped', number>;

/** The lines of a runner, with single spaces, as `patternOf` reads them. */
interface Lines {
  /** The start of a command line, without what starts it in turn, e.g. `npx`. */
  readonly start: string;
  readonly begins?: string;
  /** The first line of a summary, and further ones. */
  readonly sums: string;
  readonly more?: string;
  /** What it counts as a test that passed, though nothing was tested: a file without any, an example that is only compiled. */
  readonly empty?: string;
  /** A test, with groups `end` and `name`; the numbers of a summary come before these lines. */
  readonly tests?: readonly RegExp[];
}

/** The lines of each runner, by its name. */
const lines: Readonly<Record<string, Lines>> = {
  node: {
    start: 'node{, *} --test',
    sums: '{ℹ,#} tests N',
    // Files that fail count as tests, too, so that their number says nothing.
    more: '{ℹ,#} {pass,skipped,todo} N',
    empty: '{✔,ok N -} *.{,c,m}{j,t}s{,x}{, (*ms)}',
  },
  vitest: { start: 'vitest', sums: '{Tests {N *,no tests},No test files found*}' },
  jest: { start: 'jest', sums: '{Tests: N * total,No tests found*}' },
  mocha: { start: '{,_}mocha', sums: 'N passing (*)', more: 'N {pending,failing}' },
  pytest: {
    start: '{pytest,py.test}',
    begins: '=* test session starts =*',
    sums: '{,=* }{no tests ran,N {passed,failed,skipped,deselected,warning,error,xfailed,xpassed}*} in N*s*',
  },
  unittest: {
    start: 'unittest',
    sums: 'Ran N test{,s} in *',
    more: '{OK,FAILED,NO TESTS RAN}{, (*)}',
  },
  go: {
    start: 'go{, -C *} test',
    sums: '{=== RUN*,ok * {N.Ns,(cached)}{, *},? * [no test files],testing: warning: no tests to run,*"Action":"run"*}',
    tests: [
      /^--- (?<end>PASS|FAIL|SKIP): (?<name>\S+) \(/,
      /^\{.*"Action":"(?<end>pass|fail|skip)".*"Test":"(?<name>[^"]+)"/,
      /^(?<name>Benchmark\S+) \d+ [\d.]+ ns\/op/,
    ],
  },
  cargo: {
    start: 'cargo{, +*} {test,t}',
    begins: 'running N test{,s}',
    sums: 'test result: *',
    empty: 'test * - compile ... ok',
    tests: [/^test (?:\S+::)?(?<name>\w+(?: - should panic)?) \.\.\. (?<end>ok|FAILED)$/],
  },
  ctest: {
    start: 'ctest',
    begins: 'Test project /*',
    sums: '{N% tests passed*,No tests were found!!!,Total Tests: *}',
    tests: [
      /^\d+\/\d+ Test #\d+: (?<name>\S+) [ .]*(?:\*\*\*)?(?<end>Passed|Skipped|Not Run|[A-Z]\w+)/,
    ],
  },
};

const runners = Object.entries(lines).map(([name, { start, tests = [], ...others }]) => {
  // No line holds a line break.
  const { begins = '\n', sums, more = '\n', empty = '\n' } = others;
  return {
    name,
    start: patternOf(`${start}{, *}`),
    begins: patternOf(begins),
    sums: patternOf(sums),
    more: patternOf(more),
    empty: patternOf(empty),
    tests,
  };
});

/** Watches for one runner. */
function watchRunner(runner: (typeof runners)[number]) {
  // How often it began, by its own words, and how often command lines start it; the files without tests.
  let [began, started, empty] = [0, 0, 0];
  const ends: Sums[] = [];
  const tests = none();
  const [names, failing]: [string[], string[]] = [[], []];
  return {
    start(command: string): void {
      if (runner.start.test(command)) started += 1;
    },
    read(line: string): void {
      if (runner.begins.test(line)) began += 1;
      if (runner.empty.test(line)) empty += 1;
      const isFirst = runner.sums.test(line);
      if (isFirst) ends.push({ ...none(), passed: -empty });
      if (isFirst) empty = 0;
      const last = ends.at(-1);
      if (last !== undefined && (isFirst || runner.more.test(line))) addNumbers(last, line);
      for (const test of runner.tests) {
        const groups = test.exec(line)?.groups;
        if (groups === undefined) continue;
        const { end = 'pass', name = '' } = groups;
        const how = /^(?:(pass|ok)|(skip|not run))/i.exec(end) ?? [];
        tests[how[1] ? 'passed' : how[2] ? 'skipped' : 'failed'] += 1;
        const told = how[1] ? names : how[2] ? [] : failing;
        if (told.length <= mostNames) told.push(name.slice(0, mostName).replaceAll('/', ' > '));
      }
    },
    /** The counts by the name of the runner; none if it was not there. */
    counts(): readonly (readonly [string, TestCounts])[] {
      if (began + started + ends.length === 0) return [];
      // A program under test may print what looks like a summary; the runner has the last word.
      const ended = ends.slice(-Math.max(began, started, 1)).reduce(plus, none());
      const sums = ended.passed + ended.failed + ended.skipped === 0 ? tests : ended;
      const cut = began > ends.length || ends.length === 0 ? runner.name : null;
      const passed = Math.max(0, sums.passed);
      const isWhole = names.length === passed && names.length <= mostNames;
      const told = { ...sums, passed, names: isWhole ? names : null, cut };
      return [[runner.name, failing.length === 0 ? told : { ...told, failing }]];
    },
  };
}

/** Adds the numbers of a line such as `2 passed, 1 skipped`. */
function addNumbers(sums: Sums, line: string): void {
  const told = (pattern: RegExp) =>
    [...line.matchAll(pattern)].reduce((all, [, one, other]) => all + Number(one ?? other), 0);
  sums.passed += told(/(\d+) (?:passed|passing|measured)\b|(?:^Ran|[ℹ#] pass) (\d+)/g);
  sums.skipped += told(
    /(\d+) (?:skipped|pending|todo|ignored|xfailed|expected fail)\b|[ℹ#] (?:skipped|todo) (\d+)/g,
  );
  // unittest counts these among those that it ran; a test may fail in several parts, and a set-up without any test.
  const faults = told(/(?:(?<!expected )failures|errors|unexpected successes)=(\d+)/g);
  const failed = Math.min(faults, Math.max(0, sums.passed));
  const skipped = told(/(?:skipped|expected failures)=(\d+)/g);
  sums.passed -= failed + skipped;
  sums.failed += failed + told(/(\d+) (?:failed|failing|errors?)\b/g);
  sums.skipped += skipped;
}

const none = (): Sums => ({ passed: 0, failed: 0, skipped: 0 });

function plus(a: Sums, b: Sums): Sums {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}

/** A command as it is typed without what starts it in turn, e.g. `jest --ci` for `npx jest --ci`. */
function commandIn(line: string): string {
  const words = line.trim().split(/\s+/);
  const at = words.findIndex(
    (word) => !/^-|=|(?:^|\/)python[\d.]*$/.test(word) && !starters.has(nameOfPath(word)),
  );
  const [program = '', ...rest] = words.slice(at);
  return [nameOfPath(program), ...rest].join(' ');
}

/** The programs and words that start another program. */
const starters: ReadonlySet<string> = new Set(
  'npx @npx bunx time exec env sh ash bash dash zsh uv poetry pdm pipenv hatch run npm pnpm yarn dlx'.split(
    ' ',
  ),
);

/** Words with which a runner runs no test, or prints its summary in another form or not at all. */
const tellsOtherwise =
  /\s(?:--(?:version|help|no-run|collect-only|co|listTests|list|show-only|(?:test-)?reporters?|json)(?=[\s=]|$)|-h(?=\s|$)|(?:list|bench|typecheck)(?=\s|$))|^(?:go .*-c|ctest .*-N|_?mocha .*-R)(?=\s|$)/;

/** Adds up what runners told. */
export function joinCounts(a: TestCounts, b: TestCounts): TestCounts {
  const names = a.names === null || b.names === null ? null : [...a.names, ...b.names];
  const isLong = names !== null && names.length > mostNames;
  const failing = [...(a.failing ?? []), ...(b.failing ?? [])];
  return { ...plus(a, b), names: isLong ? null : names, failing, cut: a.cut ?? b.cut };
}
