// Tells a proof that fails as it should from one that could not show anything, by what its run printed.
import { stripVTControlCharacters } from 'node:util';
import type { CheckRun } from '../../model/check-record.ts';
import type { Proof, ProofState } from '../../model/proof.ts';
import { nameOfPath, stemOf } from '../../git/paths.ts';
import { oneLine } from '../../model/wording.ts';

/** What one run of a proof showed. */
export interface RunVerdict {
  readonly state: ProofState;
  /** The line of the output that tells it; empty where it holds. */
  readonly why: string;
  /** True if it fails only for names that it needs. */
  readonly isForNeeds: boolean;
}

type Run = Pick<CheckRun, 'passed' | 'note' | 'output' | 'exit' | 'tests' | 'limited'>;

/** Judges one run of a proof on code that the proof was not written for. */
export function classifyRun(run: Run, { needs }: Pick<Proof, 'needs'>): RunVerdict {
  const { tests, note } = run;
  const lines = stripVTControlCharacters(run.output)
    .split('\n')
    .map((line) => line.replace(/^(?:E\s+|[\s#ℹ|│❯→×⎯>])+/, '').trim())
    .filter((line) => !/^\w+ [\d.]+$/.test(line));
  if (run.limited === true || run.exit === undefined || run.passed === null) return cannot(note);
  const killed = killedAt[run.exit ?? 0];
  if (killed !== undefined) return cannot(killed);
  if (run.passed) {
    const skipped = tests?.skipped ?? 0;
    return skipped > 0
      ? cannot(`a proof must not skip, and ${skipped} of its tests did`)
      : { state: 'holds', why: '', isForNeeds: false };
  }
  const stopped = lines.find((line) => stoppedBy.test(line));
  if (stopped !== undefined) return cannot(brief(stopped));
  const known = wordsOf(needs.flatMap(({ name }) => name.match(/[\p{L}\p{N}_$]+/gu)?.at(-1) ?? []));
  const files = wordsOf(needs.map(({ path }) => stemOf(nameOfPath(path))));
  const isKnown = (line: string) => known.test(line) || (isOfFiles.test(line) && files.test(line));
  const lacks = lines.filter(
    (line) => !notLoaded.test(line) && faultsOfCode.some((pattern) => pattern.test(line)),
  );
  const foreign = lacks.find((line) => !isKnown(line));
  if (foreign !== undefined) return cannot(brief(foreign));
  const failed = tests === undefined ? 1 : tests.failed;
  const isLoaded = failed > 0 && !lines.some((line) => notLoaded.test(line)) && run.exit !== 127;
  if (isLoaded || lacks.length > 0) {
    const telling = [
      ...lacks,
      ...saysFailure.flatMap((one) => lines.find((line) => one.test(line)) ?? []),
    ][0];
    return { state: 'fails', why: brief(telling ?? note), isForNeeds: lacks.length > 0 };
  }
  const said = lines.find((line) => /error|fatal|not found/i.test(line));
  return cannot(
    `no test failed, but it ended with ${note}${said === undefined ? '' : `: ${brief(said)}`}`,
  );
}

export const cannot = (why: string): RunVerdict => ({
  state: 'cannot-run',
  why,
  isForNeeds: false,
});

const brief = (line: string) => oneLine(line).trim().slice(0, 300);

/** A pattern for any of these words. */
function wordsOf(words: readonly string[]): RegExp {
  const all = words.filter((word) => word !== '').map((word) => word.replaceAll(/\W/g, '\\$&'));
  const any = all.length === 0 ? '(?!)' : `(?:${all.join('|')})`;
  return new RegExp(`(?<![\\p{L}\\p{N}_$])${any}(?![\\p{L}\\p{N}_$])`, 'u');
}

/** Words about a file or module that is not there. */
const isOfFiles = /find (?:module|package)|no module named|failed to (?:resolve|load)/i;

/** Words of what the confinement, the missing network or a missing program made impossible. */
const stoppedBy =
  /\b(?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|EROFS|ENOSPC|EFBIG)\b|connection refused|network is unreachable|name resolution|no such host|lookup disabled by GOPROXY|read-only file ?system|no space left|file too large|cannot allocate memory|(?:heap )?out of memory|failed to allocate memory|allocation failed|^MemoryError|resource temporarily unavailable|can't start new thread|^(?:bwrap|prlimit): |\bspawn \S+ ENOENT|executable file not found|^\S*sh: .*: (?:command )?not found$/i;

/** Lines about code that does not load, does not compile, or lacks a name, an attribute or an argument. */
const faultsOfCode: readonly RegExp[] = [
  /^(?:Uncaught )?(?:[\w.]+\.)?(?:\w*Error|Exception)(?: \[\w+\])?:? .*(?:is not a (?:function|constructor)|is not defined|does not provide an export|cannot find (?:module|package)|no module named|cannot import name|has no attribute|unexpected keyword argument|positional arguments? but|missing \d+ required|failed to (?:resolve|load)|undefined (?:local variable or )?method|uninitialized constant)/i,
  /^(?:Uncaught )?(?:SyntaxError|IndentationError|ModuleNotFoundError|ImportError|NameError|ReferenceError)\b/,
  /^(?:error: )['"](?:.* )?\S+ is not (?:a function|a constructor|defined)/,
  /^(?:vet: )?\S+\.go:\d+:\d+: /,
  /no required module provides package|cannot find package|is not in (?:GOROOT|std)/,
  /^error(?:\[E\d+\])?: (?!["'|>]|could not compile|aborting|test failed)/,
  /\berror TS\d+: /,
  /^\S+:\d+:(?:\d+:)? (?:fatal )?error: /,
];

/** Words of runners about a file that they could not load, which some count as a failed test. */
const notLoaded =
  /ERROR collecting |unittest\.loader\._FailedTest|import(?:ing)? test module|Test suite failed to run/;

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
