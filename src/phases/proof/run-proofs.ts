// Runs each proof on the base, alone and twice, in a copy that it can spoil, and says what that showed.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { CheckRecord, CheckRun } from '../../model/check-record.ts';
import type { CopyFacts, Proof, ProofResult, ProofRuns } from '../../model/proof.ts';
import { oneLine } from '../../model/wording.ts';
import { commandsIn, setUpTool } from '../../context/package/set-up-tools.ts';
import { isInside } from '../../git/disk.ts';
import { listUncommitted } from '../../git/made-files.ts';
import { nameOfPath, stemOf } from '../../git/paths.ts';
import { copyPaths } from '../../store/copy-tree.ts';
import { removeFolder } from '../../store/remove-folder.ts';
import { runSetUp } from '../execution/checks.ts';
import { holdsSecrets } from '../execution/prepare-tree.ts';
import { notRun, runCommand } from '../execution/run-command.ts';
import { type ProofTools, proofReadiness } from './proof-consent.ts';
import { findDependencies } from './dependencies.ts';
import { strictTree } from './strict-tree.ts';

interface CopyRequest {
  /** The commands that prepare the copy; empty for none. */
  readonly setUp: readonly string[];
  readonly tools: ProofTools;
  readonly signal: AbortSignal;
}

/** The longest time of one run, of all runs, and of a first build, in ms. */
const most = { run: 60_000, all: 300_000, build: 300_000 };

/** Programs that build before they test; their first run is not counted. */
const builders = /(?:^|\/)(?:go|cargo|mvnw?|gradlew?|dotnet|sbt|swift)$/;

/** A copy of what an execution would start from; made when it is first needed, and removed at the end. */
export function proofCopy(request: CopyRequest) {
  let made: ReturnType<typeof makeCopy> | null = null;
  const open = () => (made ??= makeCopy(request));
  return {
    async look(): Promise<CopyFacts> {
      const { obstacle, copy } = await open();
      return copy === null ? { obstacle, installed: [], absent: [] } : await lookInto(copy);
    },
    /** Runs each proof alone and twice in the strict confinement; each run is a line of `proof/checks.jsonl`. */
    async run(proofs: readonly Proof[]): Promise<ProofRuns> {
      const { obstacle, copy } = await open();
      return { obstacle, results: copy === null ? [] : await runAll(proofs, copy, request) };
    },
    async [Symbol.asyncDispose]() {
      const room = await made?.then((one) => one.room).catch(() => null);
      if (typeof room === 'string') await removeFolder(room);
    },
  };
}

async function runAll(
  proofs: readonly Proof[],
  copy: MadeCopy,
  { tools }: CopyRequest,
): Promise<ProofResult[]> {
  const runIn = await copy.confined(proofs.flatMap(({ argv: [program] }) => program ?? []));
  const results: ProofResult[] = [];
  let left = most.all;
  for (const [at, proof] of proofs.entries()) {
    const { id, argv } = proof;
    const isFirst = proofs.findIndex((one) => one.argv[0] === argv[0]) === at;
    if (isFirst && builders.test(argv[0] ?? '')) await runIn(proof, most.build);
    const runs: CheckRecord[] = [];
    const seen: RunVerdict[] = [];
    while (seen.length < 2 && seen[0]?.state !== 'cannot-run' && left > 0) {
      const mostMs = Math.min(most.run, tools.execution.settings.checkMs, left);
      const run = { ...(await runIn(proof, mostMs)), round: seen.length };
      left -= run.ms;
      runs.push(run);
      await tools.folder.append('proof/checks.jsonl', `${JSON.stringify(run)}\n`);
      seen.push(classifyRun(run, proof));
    }
    const [first = cannot('our limit of 5 minutes for all proofs was reached'), last = first] =
      seen;
    const differs = `it ended differently the second time: ${last.why || 'it passed'}`;
    const isSteady = first.state === last.state;
    results.push({
      id,
      state: isSteady ? last.state : 'unsteady',
      why: isSteady ? last.why : differs,
      runs,
    });
  }
  return results;
}

type MadeCopy = NonNullable<Awaited<ReturnType<typeof makeCopy>>['copy']>;

/** Makes and sets up the copy, unless something stands in the way. */
async function makeCopy({ setUp, tools, signal }: CopyRequest) {
  const { repository, execution, markPrefix } = tools;
  const { environment, secrets, settings } = execution;
  const { obstacle, confinement } = await proofReadiness(tools, signal);
  if (obstacle !== null || confinement === null) return { obstacle, room: null, copy: null };
  const { root } = repository;
  const trees = await execution.worktrees(signal);
  const room = trees.top('proofs');
  const own = [...Object.keys(repository.base.dirty), ...settings.copy];
  const hold = await Promise.all(own.map((path) => holdsSecrets(root, path)));
  const secret = new Set(own.filter((_, at) => hold[at]));
  const copy = await trees.copyStart(room, (path) => !secret.has(path));
  const common = { cwd: root, home: root, buildFacts: [], environment, markPrefix, signal };
  const within = relative(copy.top, root);
  const more = settings.copy.flatMap((path) => (secret.has(path) ? [] : join(within, path)));
  const missing = () => findDependencies(copy.top, { copy: copy.files, more, signal });
  for (const argv of commandsIn(setUp)) {
    // What installs makes them itself; anything else, such as a build, reads those that are there.
    const read = setUpTool(argv) === null ? await missing() : [];
    const mounts = read.map((path) => ({ from: join(copy.top, path), at: join(copy.top, path) }));
    const moved = [{ from: copy.files, at: copy.top, isWritable: true }, ...mounts];
    const confine = { confinement, top: copy.top, moved, secrets };
    const why = await runSetUp(argv, { ...common, confine, mostMs: most.build });
    if (why !== null) return { obstacle: oneLine(why), room, copy: null };
  }
  const dependencies = await missing();
  const tree = { confinement, copy, root, dependencies, environment, secrets, folder: room };
  /** Confines what needs these programs; the result runs a proof once. */
  const confined = async (programs: readonly string[]) => {
    const confine = await strictTree({ ...tree, programs });
    return async (
      { id, path, content, argv, folder, sentence }: Proof,
      mostMs: number,
    ): Promise<CheckRecord> => {
      const from = join(room, 'proofs', id);
      await mkdir(dirname(join(from, path)), { recursive: true });
      await writeFile(join(from, path), content);
      // Nothing is written through a link that an earlier proof left.
      const why = await copyPaths({ from, to: join(copy.files, within) }, [path], signal);
      const since = performance.now();
      const seen =
        why === null
          ? await runCommand(argv, { ...common, confine, mostMs }, { folder })
          : notRun(why);
      await copy.restore();
      return {
        output: '',
        ...seen,
        check: `${id}: ${sentence}`,
        kind: 'test',
        criterion: null,
        ms: Math.round(performance.now() - since),
        moment: 'before',
        tree: 'base',
        commit: copy.commit,
        tasks: [],
        round: 0,
      };
    };
  };
  return { obstacle: null, room, copy: { ...tree, confined } };
}

/** The most paths of each kind that an author is told. */
const mostTold = 12;

/** Finds the folders with programs of the project, and what git ignores and the copy lacks; from the root. */
async function lookInto({ root, copy, dependencies }: MadeCopy): Promise<CopyFacts> {
  const { ignored } = await listUncommitted(root);
  const fromRoot = dependencies.map((path) => relative(root, join(copy.top, path)));
  const own = (path: string) => join(copy.files, relative(copy.top, root), path);
  const holders = [...new Set([...fromRoot, 'node_modules', '.venv', 'venv'])];
  const places = holders.flatMap((path) =>
    path.startsWith('..') ? [] : [join(path, 'bin'), join(path, '.bin')],
  );
  const installed = places.filter((path) => existsSync(own(path)) || existsSync(join(root, path)));
  const absent = ignored.filter(
    (path) =>
      !/(?:^|\/)[._]/.test(path) &&
      !fromRoot.some((one) => isInside(one, path)) &&
      !existsSync(own(path)),
  );
  return {
    obstacle: null,
    installed: installed.slice(0, mostTold),
    absent: absent.slice(0, mostTold),
  };
}

/** What one run of a proof showed; `why` is the line of the output that tells it, empty where it holds. */
type RunVerdict = Pick<ProofResult, 'state' | 'why'>;

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
      : { state: 'holds', why: '' };
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
    return { state: 'fails', why: brief(telling ?? note) };
  }
  const said = lines.find((line) => /error|fatal|not found/i.test(line));
  return cannot(
    `no test failed, but it ended with ${note}${said === undefined ? '' : `: ${brief(said)}`}`,
  );
}

const cannot = (why: string): RunVerdict => ({ state: 'cannot-run', why });

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
