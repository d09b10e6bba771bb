// Runs each proof on the base, alone and twice, in a copy that it can spoil, and says what that showed.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import type { CheckRecord } from '../../model/check-record.ts';
import type { Proof, ProofResult, ProofRuns } from '../../model/proof.ts';
import { commandsIn } from '../../context/package/set-up-tools.ts';
import type { Confinement } from '../../agents/process/confinement.ts';
import { nameOfPath } from '../../git/paths.ts';
import type { CopiedStart } from '../../git/worktrees.ts';
import { copyPaths } from '../../store/copy-tree.ts';
import { removeFolder } from '../../store/remove-folder.ts';
import { runSetUp } from '../execution/checks.ts';
import { holdsSecrets } from '../execution/prepare-tree.ts';
import { type CheckConditions, runCommand } from '../execution/run-command.ts';
import { cannot, classifyRun, type RunVerdict } from './classify-run.ts';
import { type ProofTools, proofReadiness } from './proof-consent.ts';
import { findDependencies } from './dependencies.ts';
import { strictTree } from './strict-tree.ts';

interface ProofRequest {
  readonly proofs: readonly Proof[];
  /** The commands that prepare the copy; empty for none. */
  readonly setUp: readonly string[];
  readonly tools: ProofTools;
  readonly signal: AbortSignal;
}

/** The longest time of one run, of all runs, and of a first build, in ms. */
const most = { run: 60_000, all: 300_000, build: 300_000 };

/**
 * Writes proofs one at a time into a copy of what an execution would start from, and runs each twice in the strict
 * confinement. Each run is a line of `proof/checks.jsonl`.
 */
export async function runProofs(request: ProofRequest): Promise<ProofRuns> {
  const { proofs, setUp, tools, signal } = request;
  const { obstacle, confinement } = await proofReadiness(tools, signal);
  if (obstacle !== null || confinement === null) return { results: [], obstacle };
  await using base = await openBase(request);
  const why = await setUpBase(base, setUp, confinement);
  if (why !== null) return { results: [], obstacle: `No proof was run: ${why}.` };
  const { copy, folder, conditions, root } = base;
  const confine = await strictTree({
    confinement,
    copy,
    root,
    folder,
    dependencies: await findDependencies(copy.top, { copy: copy.files, signal }),
    programs: proofs.flatMap(({ argv: [program] }) => program ?? []),
    environment: tools.execution.environment,
    secrets: tools.execution.secrets,
  });
  await buildFirst(proofs, { ...conditions, confine });
  const place = { ...conditions, confine, mostMs: tools.execution.settings.checkMs };
  const results: ProofResult[] = [];
  let left = most.all;
  for (const proof of proofs) {
    const result = await runProof(proof, { base, place, left });
    left -= result.runs.reduce((sum, { ms }) => sum + ms, 0);
    for (const run of result.runs) {
      await tools.folder.append('proof/checks.jsonl', `${JSON.stringify(run)}\n`);
    }
    results.push(result);
  }
  return { results, obstacle: null };
}

/** The copy with what its commands get. */
interface Base extends AsyncDisposable {
  readonly copy: CopiedStart;
  /** The folder with everything of ours; absolute. */
  readonly folder: string;
  /** The session’s folder of the user, and its copy; absolute. */
  readonly root: string;
  readonly rootOfCopy: string;
  readonly conditions: CheckConditions;
}

async function openBase({ tools, signal }: ProofRequest): Promise<Base> {
  const { execution, repository, markPrefix } = tools;
  const { root, base } = repository;
  const trees = await execution.worktrees(signal);
  const folder = trees.top('proofs');
  const unknown = Object.keys(base.dirty);
  const hold = await Promise.all(unknown.map((path) => holdsSecrets(root, path)));
  const secret = new Set(unknown.filter((_, at) => hold[at]));
  const copy = await trees.copyStart(folder, (path) => !secret.has(path));
  const rootOfCopy = join(copy.files, relative(copy.top, root));
  const { settings, environment } = execution;
  const paths = await Promise.all(
    settings.copy.map(async (path) => !(await holdsSecrets(root, path))),
  );
  await copyPaths(
    { from: root, to: rootOfCopy },
    settings.copy.filter((_, at) => paths[at]),
    signal,
  );
  const conditions: CheckConditions = {
    cwd: root,
    home: root,
    buildFacts: [],
    environment,
    markPrefix,
    signal,
    mostMs: most.build,
  };
  const remove = () => removeFolder(folder);
  return { copy, folder, root, rootOfCopy, conditions, [Symbol.asyncDispose]: remove };
}

/** Runs the set-up in the copy, confined as that of an execution is. Returns why it failed, or null. */
async function setUpBase(
  { copy, conditions }: Base,
  setUp: readonly string[],
  confinement: Confinement,
): Promise<string | null> {
  const confine = { confinement, top: copy.top, copy: copy.files, secrets: [] };
  for (const argv of commandsIn(setUp)) {
    const why = await runSetUp(argv, { ...conditions, confine });
    if (why !== null) return why;
  }
  return null;
}

/** Builds what the proofs of compiled languages need, so that the first one does not pay for it. */
async function buildFirst(proofs: readonly Proof[], place: CheckConditions): Promise<void> {
  const done = new Set<string>();
  for (const { argv, folder, path } of proofs) {
    const own = argv[0] === 'go' ? posix.dirname(path) : folder;
    const build = builds[nameOfPath(argv[0] ?? '')];
    const key = `${build?.join(' ')} ${own}`;
    if (build === undefined || done.has(key)) continue;
    done.add(key);
    await runCommand([argv[0] ?? '', ...build], place, { folder: own, counts: false });
  }
}

/** The arguments with which a program builds tests and runs none. */
const builds: Readonly<Record<string, readonly string[]>> = {
  go: ['test', '-run', '^$', '.'],
  cargo: ['test', '--no-run'],
  mvn: ['-o', '-q', 'test-compile'],
  mvnw: ['-o', '-q', 'test-compile'],
  gradle: ['--offline', 'testClasses'],
  gradlew: ['--offline', 'testClasses'],
  dotnet: ['build', '--no-restore'],
};

interface ProofPlace {
  readonly base: Base;
  readonly place: CheckConditions;
  /** The time that all runs together still have, in ms. */
  readonly left: number;
}

/** Runs one proof twice; once if the first run cannot show anything. */
async function runProof(proof: Proof, { base, place, left }: ProofPlace): Promise<ProofResult> {
  const runs: CheckRecord[] = [];
  let verdict: RunVerdict | null = null;
  let rest = left;
  for (const round of [0, 1]) {
    const mostMs = Math.min(most.run, place.mostMs, rest);
    if (mostMs <= 0) {
      verdict = cannot('our limit of 5 minutes for all proofs was reached');
      break;
    }
    const why = await layProof(proof, base, place.signal);
    if (why !== null) {
      verdict = cannot(why);
      break;
    }
    const since = performance.now();
    const { argv, folder } = proof;
    const seen = await runCommand(argv, { ...place, mostMs }, { folder: plain(folder) });
    await base.copy.restore();
    const ms = Math.round(performance.now() - since);
    rest -= ms;
    const { output = '', ...run } = seen;
    const record = {
      ...run,
      output,
      kind: 'test',
      check: `${proof.id}: ${proof.sentence}`,
    } as const;
    const at = { moment: 'before', tree: 'base', commit: base.copy.commit } as const;
    runs.push({ ...record, ...at, criterion: null, ms, tasks: [], round });
    const now = classifyRun({ ...run, output }, proof);
    const isSame: boolean = verdict === null || verdict.state === now.state;
    verdict = isSame
      ? now
      : {
          ...now,
          state: 'unsteady',
          why: `it ended differently the second time: ${now.why || 'it passed'}`,
        };
    if (now.state === 'cannot-run') break;
  }
  const { state, why, isForNeeds } = verdict ?? cannot('it was not run');
  const output = (runs.at(-1)?.output ?? '').slice(-mostOutput);
  return { id: proof.id, state, why, output, needs_only: isForNeeds, runs };
}

const mostOutput = 4_000;

const plain = (folder: string) => (folder === '.' ? '' : folder);

/** Writes the file of a proof, and nothing through a link. Returns why it could not be written, or null. */
async function layProof(
  { id, path, content }: Proof,
  { folder, rootOfCopy }: Base,
  signal: AbortSignal,
): Promise<string | null> {
  const from = join(folder, 'proofs', id);
  await mkdir(dirname(join(from, path)), { recursive: true });
  await writeFile(join(from, path), content);
  return await copyPaths({ from, to: rootOfCopy }, [path], signal);
}
