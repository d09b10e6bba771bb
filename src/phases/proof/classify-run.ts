// Says what one run of a proof showed, by its exit, its counts and the lines that its runner printed.
import { stripVTControlCharacters } from 'node:util';
import type { CheckRun } from '../../model/check-record.ts';
import type { Proof, ProofResult } from '../../model/proof.ts';
import { oneLine } from '../../model/wording.ts';
import { nameOfPath, stemOf } from '../../git/paths.ts';

/** The result of one run of a proof; `why` is the line of the output that tells it, empty where it holds. */
export type RunVerdict = Pick<ProofResult, 'state' | 'why'>;

type Run = Pick<CheckRun, 'passed' | 'note' | 'output' | 'exit' | 'tests' | 'limited'>;

/** Judges one run of a proof on code that the proof was not written for. */
export function classifyRun(
  run: Run,
  { needs, folder }: Pick<Proof, 'needs' | 'folder'>,
): RunVerdict {
  const { passed, note, exit, tests, limited } = run;
  if (limited === true || exit === undefined || passed === null) return cannotRun(note);
  const killed = killedAt[exit ?? 0];
  if (killed !== undefined) return cannotRun(killed);
  if (passed) {
    const skipped = tests?.skipped ?? 0;
    return skipped > 0
      ? cannotRun(`a proof must not skip, and ${skipped} of its tests did`)
      : { state: 'holds', why: '' };
  }
  const lines = linesOf(run.output);
  const find = (pattern: RegExp) => lines.find((line) => pattern.test(line));
  const [, program] = noProgram.exec(lines.join('\n')) ?? [];
  if (program !== undefined)
    return cannotRun(
      `there is no program "${program}" here; \`argv\` is one word for each argument, without a shell`,
    );
  const names = anyOf(needs.flatMap(({ name }) => name.match(/[\p{L}\p{N}_$]+/gu)?.at(-1) ?? []));
  const files = anyOf(needs.map(({ path }) => stemOf(nameOfPath(path))));
  const isKnown = (line: string) => names.test(line) || (isOfFiles.test(line) && files.test(line));
  const lacks = lines.filter(
    (line) => !notLoaded.test(line) && faultsOfCode.some((pattern) => pattern.test(line)),
  );
  const foreign = find(stoppedBy) ?? lacks.find((line) => !isKnown(line));
  if (foreign !== undefined) return cannotRun(foreign);
  const isLoaded = (tests?.failed ?? 1) > 0 && find(notLoaded) === undefined && exit !== 127;
  if (!isLoaded && lacks.length === 0) {
    const where = folder === '.' ? '' : ` in the folder ${folder}`;
    const [said] = saysNothingRan.flatMap((pattern) => find(pattern) ?? []);
    const line = said === undefined ? '' : `: ${said}`;
    return cannotRun(`no test failed, but it ended with ${note}${where}${line}`);
  }
  const [telling = lines.findLast((line) => line !== '') ?? note] = [
    ...lacks,
    ...saysFailure.flatMap((pattern) => find(pattern) ?? []),
  ];
  return { state: 'fails', why: brief(telling) };
}

export const cannotRun = (why: string): RunVerdict => ({ state: 'cannot-run', why: brief(why) });

const brief = (text: string) => oneLine(text).trim().slice(0, 400);

/** The lines of a runner without its colours, signs and margins; not those that only name its version. */
function linesOf(output: string): readonly string[] {
  return stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.replace(/^(?:E\s+|[\s#ℹ|│❯→×⎯>])+/, '').trim())
    .filter((line) => !/^\w+ [\d.]+$/.test(line));
}

/** A pattern for any of these words. */
function anyOf(words: readonly string[]): RegExp {
  const all = words.filter((word) => word !== '').map((word) => word.replaceAll(/\W/g, '\\$&'));
  const any = all.length === 0 ? '(?!)' : `(?:${all.join('|')})`;
  return new RegExp(`(?<![\\p{L}\\p{N}_$])${any}(?![\\p{L}\\p{N}_$])`, 'u');
}

/** Words about a file or module that is not there. */
const isOfFiles = /find (?:module|package)|no module named|failed to (?:resolve|load)/i;

/** The program of a proof could not be started. */
const noProgram = /^prlimit: failed to execute (.*): No such file/m;

/** Words of what the confinement, the missing network, or something that is not installed made impossible. */
const stoppedBy = new RegExp(
  [
    String.raw`\b(?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|EROFS|ENOSPC|EFBIG)\b`,
    'connection refused|network is unreachable|name resolution|no such host',
    'lookup disabled by GOPROXY|^npm err(?:or|!) code E(?!LIFECYCLE)',
    'read-only file ?system|no space left|file too large|^(?:bwrap|prlimit): ',
    '^MemoryError|cannot allocate memory|failed to allocate memory|allocation failed|out of memory',
    "resource temporarily unavailable|can't start new thread",
    String.raw`\bspawn \S+ ENOENT|executable file not found|failed to spawn|command "\S+" not found`,
    String.raw`^\S*sh: .*: (?:command )?not found$|^\S*python\S*: no module named |ERR_PNPM_\w+EXEC`,
    "missing script:|couldn't find a script named|script not found|no rule to make target",
    'async def functions are not natively supported',
  ].join('|'),
  'i',
);

/** Lines about code that does not load, does not compile, or lacks a name, an attribute or an argument. */
const faultsOfCode: readonly RegExp[] = [
  /^(?:Uncaught )?(?:[\w.]+\.)?(?:\w*Error|Exception)(?: \[\w+\])?:? .*(?:is not a (?:function|constructor)|is not defined|does not provide an export|cannot find (?:module|package)|no module named|cannot import name|has no attribute|unexpected keyword argument|positional arguments? but|missing \d+ required|failed to (?:resolve|load)|undefined (?:local variable or )?method|uninitialized constant)/i,
  /^(?:Uncaught )?(?:SyntaxError|IndentationError|ModuleNotFoundError|ImportError|NameError|ReferenceError)\b/,
  /^(?:error: )['"](?:.* )?\S+ is not (?:a function|a constructor|defined)/,
  /^(?:vet: )?\S+\.go:\d+:\d+: /,
  /^fixture '.*' not found$/,
  /no required module provides package|cannot find package|is not in (?:GOROOT|std)/,
  /^error(?:\[E\d+\])?: (?!["'|>]|could not compile|aborting|test failed)/,
  /\berror TS\d+: /,
  /^\S+:\d+:(?:\d+:)? (?:fatal )?error: /,
];

/** Words of runners about a file that they could not load, which some count as a failed test. */
const notLoaded =
  /ERROR collecting |unittest\.loader\._FailedTest|import(?:ing)? test module|Test suite failed to run/;

/** Lines that say why no test ran, the most telling first. */
const saysNothingRan = [
  /error|fatal|not found|could not find|cannot (?:find|collect)/i,
  /no tests? |^collected 0|\d+ skipped/i,
];

/** Lines that say what failed, the most telling first. */
const saysFailure = [
  /^(?:[\w.]*(?:Error|Exception)\b.*: .|assert |panic: |thread .* panicked)/,
  /\btimed? ?out\b|^\S+:\d+: ./i,
  /^error: ['"]./,
  /\b(?:\w*Error|expected|assert\w*|fail\w*)\b.*\w/i,
];

/** The exit codes of a process that a limit of the kernel ended. */
const killedAt: Readonly<Record<number, string>> = {
  137: 'it was killed',
  152: 'it used more than 120 seconds of CPU time',
  153: 'it wrote a file of more than 200 MB',
};
