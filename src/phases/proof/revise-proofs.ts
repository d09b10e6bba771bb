// Changes the proofs of a plan that is under review: as comments ask their author to, or as a person edited them.
import { z } from 'zod';
import { PackagedProof, type Proof, type ProofSet } from '../../model/proof.ts';
import type { PlanComment } from '../../model/plan-edit.ts';
import { steps } from '../../model/steps.ts';
import { askSeat } from '../asking/ask-seat.ts';
import { type Tools, recordStep } from '../phase-tools.ts';
import { planFindingsOf, type PlannedFiles } from '../planning/check-plan.ts';
import type { PlanningInput } from '../planning/planning-input.ts';
import { readUncheckedPlan } from '../planning/read-plan.ts';
import { writePlan } from '../planning/write-plan.ts';
import {
  type ProofTrial,
  announceProofs,
  authorQuestion,
  takeProof,
  tryProofs,
} from './make-proofs.ts';
import {
  packProofs,
  proofFile,
  proofHash,
  readProofSet,
  readProofs,
  withoutCode,
  writeProofs,
} from './proof-files.ts';
import { runProofs } from './run-proofs.ts';

interface Revision {
  readonly planning: PlanningInput;
  /** The number of the review that follows. */
  readonly review: number;
  readonly comments: readonly PlanComment[];
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

/** The proof that a comment is about, which goes to its author first; null for another comment. */
function proofOf({ task, anchor }: PlanComment): string | null {
  return /^(?:proofs\.)?(P[1-9]\d?)(?:\.|$)/.exec(anchor ?? task ?? '')?.[1] ?? null;
}

/**
 * Has the author answer comments on its tests, runs what it changed, and puts that into the plan, so that the
 * planner gets it with all other comments. What does not run stays as it was, and is told.
 */
export async function reviseProofs(revision: Revision): Promise<void> {
  const { planning, review, tools, signal } = revision;
  const comments = revision.comments.filter((one) => proofOf(one) !== null);
  const own = steps.proof(planning.number, review);
  const step = { tools, signal, step: own.begin, shape: Current.nullable() };
  const current = await recordStep(step, () => readCurrent(tools));
  if (comments.length === 0 || current === null) return;
  const { proofs, authors, setUp } = current;
  tools.emit({ type: 'phase.entered', phase: 'proof', round: null });
  const returned = comments.map((one) => {
    return { id: proofOf(one), problem: `a person says: ${one.text}`, output: '' };
  });
  const question = authorQuestion({ planning, tools }, own.ask, { proofs, returned });
  const { answer } = await askSeat({ tools, question, names: authors, signal });
  if (answer === null) {
    const text = 'The author of the tests gave no answer to your comments, so they are unchanged.';
    tools.emit({ type: 'warning.raised', text });
    return;
  }
  const tried = await tryProofs({ tools, setUp, signal }, own.base, answer.value.proofs);
  const by = { author: answer.agent.name, vendor: answer.receipt.vendor };
  const made = tried.flatMap((one) => takeProof(one, by));
  const { unproven } = answer.value;
  const write = { tools, signal, step: own.write, shape: z.null() };
  await recordStep(write, async () => {
    await putProofs(tools, made, unproven);
    return null;
  });
  for (const one of tried) tellUnchanged(one, made, tools);
  announceProofs({ ...by, note: '', proofs: made, dropped: [], unproven }, tools);
}

const Current = z.object({
  proofs: z.array(PackagedProof).readonly(),
  authors: z.array(z.string()),
  setUp: z.array(z.string()).readonly(),
});

/** The proofs of the plan as they are on disk, and who wrote them; null without any. */
async function readCurrent(tools: Tools): Promise<z.infer<typeof Current> | null> {
  const stored = await readUncheckedPlan(tools);
  const set = await readProofSet(tools.folder);
  if (stored?.plan.proofs === undefined || set === null) return null;
  const proofs = await readProofs(tools.folder, stored.plan.proofs);
  return { proofs, authors: set.author === null ? [] : [set.author], setUp: set.set_up };
}

function tellUnchanged(
  { proof, result }: ProofTrial,
  made: readonly PackagedProof[],
  { emit }: Pick<Tools, 'emit'>,
): void {
  if (made.some(({ id }) => id === proof.id)) return;
  emit({ type: 'warning.raised', text: `The new ${proof.id} was not taken: ${result.why}.` });
}

/**
 * Runs at the base what a person edited in `proof/tests/`, and gives it its new hash; one that shows nothing keeps
 * the old hash, so that the plan cannot be approved with it.
 */
export async function rerunEdited(tools: Tools, signal: AbortSignal): Promise<void> {
  const stored = await readUncheckedPlan(tools);
  const proofs = await readProofs(tools.folder, stored?.plan.proofs ?? []);
  const edited = proofs.filter((proof) => proofHash(proof) !== proof.hash);
  if (edited.length === 0) return;
  tools.emit({ type: 'phase.entered', phase: 'proof', round: null });
  const { set_up: setUp = [] } = (await readProofSet(tools.folder)) ?? {};
  const { results, obstacle } = await runProofs({ proofs: edited, setUp, tools, signal });
  if (obstacle !== null) tools.emit({ type: 'warning.raised', text: obstacle });
  const made = results.flatMap((result) => {
    const proof = edited.find(({ id }) => id === result.id);
    if (proof === undefined) return [];
    const kept = takeProof({ proof, result }, byUser);
    tellUnchanged({ proof, result }, kept, tools);
    return kept;
  });
  await putProofs(tools, made, null);
  announceProofs({ ...byUser, note: '', proofs: made, dropped: [], unproven: [] }, tools);
}

const byUser = { author: 'user', vendor: null };

/** Puts new versions of proofs into the plan on disk, and into `proof/`. */
async function putProofs(
  tools: Tools,
  made: readonly PackagedProof[],
  unproven: ProofSet['unproven'] | null,
): Promise<void> {
  const stored = await readUncheckedPlan(tools);
  if (stored === null || (made.length === 0 && unproven === null)) return;
  for (const proof of made) await tools.folder.write(proofFile(proof), proof.content);
  const { plan, tasks, contextPackage } = stored;
  const proofs = replaceById(plan.proofs ?? [], made.map(withoutCode));
  const changedPlan = { ...plan, proofs, ...(unproven === null ? {} : { unproven }) };
  const packed = { ...contextPackage, ...(await packProofs(tools.folder, changedPlan)) };
  await tools.folder.writeJson('context-package.json', packed);
  const changed: PlannedFiles = { plan: changedPlan, tasks, contextPackage: packed };
  const findings = await planFindingsOf({ ...changed, tools });
  await writePlan({ ...changed, findings, before: tasks, folder: tools.folder });
  const set = await readProofSet(tools.folder);
  if (set !== null)
    await writeProofs(tools.folder, { ...set, proofs: replaceById(set.proofs, made) });
}

function replaceById<T extends Pick<Proof, 'id'>>(all: readonly T[], made: readonly T[]): T[] {
  const byId = new Map(made.map((one) => [one.id, one]));
  const known = all.map((one) => byId.get(one.id) ?? one);
  return [...known, ...made.filter(({ id }) => !all.some((one) => one.id === id))];
}
