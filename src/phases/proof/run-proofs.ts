// Runs each proof on the base, alone and twice, in a copy that it can spoil, and says what that showed.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { CheckRecord } from '../../model/check-record.ts';
import { checkTarget } from '../../model/check.ts';
import type { Proof, ProofResult, ProofRuns } from '../../model/proof.ts';
import { neverAborted } from '../../model/signal.ts';
import { commandsIn } from '../../context/package/set-up-tools.ts';
import type { Confinement } from '../../agents/process/confinement.ts';
import type { CopiedStart } from '../../git/worktrees.ts';
import { copyPaths } from '../../store/copy-tree.ts';
import { removeFolder } from '../../store/remove-folder.ts';
import { runSetUp } from '../execution/checks.ts';
import { holdsSecrets } from '../execution/prepare-tree.ts';
import { type CheckConditions, runCommand } from '../execution/run-command.ts';
import type { Tools } from '../phase-tools.ts';
import { classifyRun, type RunVerdict } from './classify-run.ts';
import { proofReadiness } from './consent.ts';
import { findDependencies } from './dependencies.ts';
import { strictTree } from './strict-tree.ts';

interface ProofRequest {
  readonly proofs: readonly Proof[];
  /** The commands that prepare the copy; empty for none. */
  readonly setUp: readonly string[];
  readonly tools: Tools;
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
  const { obstacle } = await proofReadiness(tools, signal);
  const { confinement } = tools.execution;
  if (obstacle !== null || confinement === null) return { results: [], obstacle };
  await using copy = await openCopy(request, confinement);
  const why = await prepare(copy, setUp);
  if (why !== null) return { results: [], obstacle: `No proof was run, as ${why}` };
  const place = await strictPlace(request, { copy, confinement });
  await buildFirst(proofs, place);
  await copy.restore();
  const results: ProofResult[] = [];
  let spent = 0;
  for (const proof of proofs) {
    const result = await runProof(proof, { copy, place, tools, left: most.all - spent });
    spent += result.runs.reduce((sum, { ms }) => sum + ms, 0);
    results.push(result);
  }
  return { results, obstacle: null };
}
