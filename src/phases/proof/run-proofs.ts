// Runs each proof on the base, alone and twice, in a copy that it can spoil, and says what that showed.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { CheckRecord } from '../../model/check-record.ts';
import type { Proof, ProofResult, ProofRuns } from '../../model/proof.ts';
import { commandsIn } from '../../context/package/set-up-tools.ts';
import { copyPaths } from '../../store/copy-tree.ts';
import { removeFolder } from '../../store/remove-folder.ts';
import { runSetUp } from '../execution/checks.ts';
import { holdsSecrets } from '../execution/prepare-tree.ts';
import { notRun, runCommand } from '../execution/run-command.ts';
import { cannot, classifyRun } from './classify-run.ts';
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

/** Programs that build before they test; their first run is not counted. */
const builders = /(?:^|\/)(?:go|cargo|mvnw?|gradlew?|dotnet|sbt|swift)$/;

/**
 * Writes proofs one at a time into a copy of what an execution would start from, and runs each twice in the strict
 * confinement. Each run is a line of `proof/checks.jsonl`.
 */
export async function runProofs(request: ProofRequest): Promise<ProofRuns> {
  const { proofs, setUp, tools, signal } = request;
  const { repository, folder, execution, markPrefix } = tools;
  const { environment, secrets, settings } = execution;
  const { obstacle, confinement } = await proofReadiness(tools, signal);
  if (obstacle !== null || confinement === null) return { results: [], obstacle };
  const { root } = repository;
  const trees = await execution.worktrees(signal);
  await using room = {
    path: trees.top('proofs'),
    [Symbol.asyncDispose]: () => removeFolder(trees.top('proofs')),
  };
  const own = [...Object.keys(repository.base.dirty), ...settings.copy];
  const hold = await Promise.all(own.map((path) => holdsSecrets(root, path)));
  const secret = new Set(own.filter((_, at) => hold[at]));
  const copy = await trees.copyStart(room.path, (path) => !secret.has(path));
  const common = { cwd: root, home: root, buildFacts: [], environment, markPrefix, signal };
  for (const argv of commandsIn(setUp)) {
    const confine = { confinement, top: copy.top, copy: copy.files, secrets };
    const why = await runSetUp(argv, { ...common, confine, mostMs: most.build });
    if (why !== null) return { results: [], obstacle: `No proof was run: ${why}.` };
  }
  const more = settings.copy.filter((path) => !secret.has(path));
  const below = more.map((path) => join(relative(copy.top, root), path));
  const dependencies = await findDependencies(copy.top, { copy: copy.files, more: below, signal });
  const programs = proofs.flatMap(({ argv: [program] }) => program ?? []);
  const tree = { confinement, copy, root, dependencies, programs, environment, secrets };
  const confine = await strictTree({ ...tree, folder: room.path });
  const place = { ...common, confine, mostMs: most.run };
  const runIn: RunIn = async (proof, mostMs) => {
    const from = join(room.path, 'proofs', proof.id);
    await mkdir(dirname(join(from, proof.path)), { recursive: true });
    await writeFile(join(from, proof.path), proof.content);
    // Nothing is written through a link that an earlier proof left.
    const to = join(copy.files, relative(copy.top, root));
    const why = await copyPaths({ from, to }, [proof.path], signal);
    const since = performance.now();
    const seen =
      why === null
        ? await runCommand(proof.argv, { ...place, mostMs }, { folder: proof.folder })
        : notRun(why);
    await copy.restore();
    return {
      output: '',
      ...seen,
      check: `${proof.id}: ${proof.sentence}`,
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
  const results: ProofResult[] = [];
  let left = most.all;
  for (const proof of proofs) {
    const isFirst = !proofs.slice(0, results.length).some(({ argv }) => argv[0] === proof.argv[0]);
    if (isFirst && builders.test(proof.argv[0] ?? '')) await runIn(proof, most.build);
    const result = await runProof(proof, {
      runIn,
      most: Math.min(most.run, settings.checkMs),
      left,
    });
    left -= result.runs.reduce((sum, { ms }) => sum + ms, 0);
    for (const run of result.runs) {
      await folder.append('proof/checks.jsonl', `${JSON.stringify(run)}\n`);
    }
    results.push(result);
  }
  return { results, obstacle: null };
}

/** Runs a proof once in the copy. */
type RunIn = (proof: Proof, mostMs: number) => Promise<CheckRecord>;

interface ProofTimes {
  readonly runIn: RunIn;
  /** The longest time of a run, and what all runs together still have, in ms. */
  readonly most: number;
  readonly left: number;
}

/** Runs one proof twice; once if the first run cannot show anything. */
async function runProof(proof: Proof, { runIn, ...times }: ProofTimes): Promise<ProofResult> {
  const runs: CheckRecord[] = [];
  let verdict = cannot('our limit of 5 minutes for all proofs was reached');
  for (const round of [0, 1]) {
    const mostMs = Math.min(times.most, times.left - (runs[0]?.ms ?? 0));
    if (mostMs <= 0) break;
    const run = { ...(await runIn(proof, mostMs)), round };
    runs.push(run);
    const now = classifyRun(run, proof);
    const why = `it ended differently the second time: ${now.why || 'it passed'}`;
    const isSteady: boolean = round === 0 || verdict.state === now.state;
    verdict = isSteady ? now : { ...now, state: 'unsteady', why };
    if (now.state === 'cannot-run') break;
  }
  const { state, why, isForNeeds } = verdict;
  const output = (runs.at(-1)?.output ?? '').slice(-mostOutput);
  return { id: proof.id, state, why, output, needs_only: isForNeeds, runs };
}

const mostOutput = 4_000;
