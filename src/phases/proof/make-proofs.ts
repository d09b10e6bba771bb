// Has acceptance tests written before the plan by somebody who will not do the work, and changed under review.
import { z } from 'zod';
import type { Agent } from '../../agents/agent.ts';
import { testMap } from '../../context/tests-of.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import { choiceFor } from '../../model/phase-choice.ts';
import type { PlanComment } from '../../model/plan-edit.ts';
import {
  CopyFacts,
  PackagedProof,
  type Proof,
  ProofAnswer,
  type ProofResult,
  ProofRuns,
  ProofSet,
  ToldProof,
} from '../../model/proof.ts';
import type { Call, Step } from '../../model/step.ts';
import { type RequestPhase, steps } from '../../model/steps.ts';
import { type Excerpts, readExcerpts } from '../../prompts/excerpts.ts';
import { type ReturnedProof, proofPrompt, proofReturnPrompt } from '../../prompts/proof-prompt.ts';
import { askInSession } from '../asking/ask-agent.ts';
import { askSeat, tellStandIn } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { planFindingsOf, type PlannedFiles } from '../planning/check-plan.ts';
import { type PlanningInput, buildContextPackage } from '../planning/planning-input.ts';
import { readUncheckedPlan } from '../planning/read-plan.ts';
import { writePlan } from '../planning/write-plan.ts';
import { type Tools, promptInput, recordStep } from '../phase-tools.ts';
import { wordsFor } from '../shown-code.ts';
import { type ProposedProofs, refuseProofs, tidyProof } from './check-proofs.ts';
import type { Authors } from './choose-author.ts';
import {
  packProofs,
  proofHash,
  readProofSet,
  readProofs,
  removeProofs,
  withoutCode,
  writeProofs,
} from './proof-files.ts';
import { proofCopy } from './run-proofs.ts';

/** The tools with which proofs run. */
interface Bench {
  readonly tools: Tools;
  readonly copy: Pick<ReturnType<typeof proofCopy>, 'run'>;
  readonly signal: AbortSignal;
}

export interface ProofRun extends Omit<Bench, 'copy'> {
  readonly planning: PlanningInput;
  readonly authors: Authors;
  /** The commands that prepare the copy; empty for none. */
  readonly setUp: readonly string[];
}

/** A proof with what its runs showed; one that was refused cannot run. */
type ProofTrial = ProofResult & { readonly proof: Proof };

/** Has the first of the authors who answers write the proofs, and keeps those that showed something at the base. */
export async function makeProofs(run: ProofRun): Promise<ProofSet> {
  const { planning, authors, setUp, tools, signal } = run;
  const own = steps.proof(planning.number);
  await using copy = proofCopy(run);
  const look = { tools, signal, step: own.copy, input: { setUp }, shape: CopyFacts };
  const { obstacle, ...facts } = await recordStep(look, () => copy.look());
  if (obstacle !== null) return skipProofs(tools, obstacle);
  const { agent: wanted } = choiceFor(tools.phases, 'proof');
  tellStandIn(tools, { phase: 'proof', wanted, agent: authors.names[0] });
  const about = { ...planning, tools, package: buildContextPackage(planning, tools.folder.id) };
  const question = proofQuestion(about, own.ask, {}, async (parts, agent) =>
    proofPrompt({
      ...parts,
      ...wordsFor(agent, planning.codebase),
      copy: { ...facts, set_up: setUp.join(' ') },
      tests: await nearestTests(about.package, planning, tools),
    }),
  );
  const { answer } = await askSeat({ tools, question, names: authors.names, signal });
  if (answer === null) return skipProofs(tools, 'no agent answered with acceptance tests');
  const { agent, receipt, value: first } = answer;
  let tried = await tryProofs({ ...run, copy }, own.base, {
    proposed: first.proofs,
    standing: [],
  });
  let { unproven } = first;
  const returned = tried.flatMap(returnOf);
  if (returned.length > 0) {
    const proofs = tried.map(({ proof, state: today, why }) => ({ ...proof, today, why }));
    const back = returnQuestion(about, own.mend, { proofs, returned });
    const second = await askInSession({ tools, question: back, agent, receipt, signal });
    if (second.ended === 'answered') {
      const { proofs: standing } = sortTrials(tried, {
        author: agent.name,
        vendor: receipt.vendor,
      });
      const { proofs: proposed } = second.value;
      const again = await tryProofs({ ...run, copy }, own.baseAgain, { proposed, standing });
      tried = replaceById(tried, again);
      ({ unproven } = second.value);
    }
  }
  const step = { tools, signal, step: own.write, shape: ProofSet };
  const made = await recordStep(step, async () => {
    const by = { author: agent.name, vendor: receipt.vendor };
    const sorted = sortTrials(tried, by);
    const set = { ...by, note: noteOn(agent.name, authors), set_up: setUp, ...sorted, unproven };
    await removeProofs(tools.folder);
    await writeProofs(tools.folder, set);
    return set;
  });
  announceProofs(made, tools);
  return made;
}

/** Tells why there is no proof, and makes the outcome of that. */
export function skipProofs(tools: Tools, note: string): ProofSet {
  tools.emit({ type: 'proof.skipped', why: note });
  return { author: null, vendor: null, note, set_up: [], proofs: [], dropped: [], unproven: [] };
}

function announceProofs(
  { author, note, proofs, dropped, unproven }: Omit<ProofSet, 'set_up' | 'vendor'>,
  tools: Tools,
): void {
  const told = proofs.map((proof) => ToldProof.parse(proof));
  tools.emit({
    type: 'proof.written',
    author: author ?? '',
    note,
    proofs: told,
    dropped,
    unproven,
  });
}

/** What a request to an author is about. */
interface AboutProofs {
  readonly tools: Tools;
  /** The number of the decision, or of the execution. */
  readonly number: number;
  readonly task: string;
  readonly package: ContextPackage;
  /** The folder of its calls, if it is not that of the phase. */
  readonly folder?: string;
}

/** Builds the request to an author for proofs that come back to it. */
export function returnQuestion(
  about: AboutProofs,
  call: Call<RequestPhase>,
  back: { readonly proofs: readonly Proof[]; readonly returned: readonly ReturnedProof[] },
): Question<ProofAnswer> {
  const returned = back.returned.map(({ id, problem }) => [id, problem]);
  return proofQuestion(about, call, { returned }, (parts) =>
    proofReturnPrompt({ ...parts, ...back }),
  );
}

function proofQuestion(
  { tools, number, task, package: contextPackage, folder }: AboutProofs,
  call: Call<RequestPhase>,
  meaning: object,
  write: (
    parts: ReturnType<typeof promptInput> & Pick<AboutProofs, 'package'>,
    agent: Agent,
  ) => string | Promise<string>,
): Question<ProofAnswer> {
  const { solution, constraints } = contextPackage;
  const schema = 'proof-answer';
  return {
    call,
    round: number,
    folderFor: (agent) => `${folder ?? `proof/${number}/${call.name}`}/${agent}`,
    task,
    context: null,
    constraints,
    schema,
    shape: ProofAnswer,
    expected: { session: tools.folder.id, phase: 'proof' },
    summaryOf: ({ proofs }) => proofs.map(({ id, sentence }) => `${id} ${sentence}`).join('; '),
    meaning: { solution: solution.name, ...meaning },
    promptFor: async (agent) => {
      const input = promptInput(tools, agent, { round: number, schema });
      return await write({ ...input, package: contextPackage }, agent);
    },
  };
}

const testLimits = { wholeBytes: 5_000, partBytes: 2_500, totalBytes: 9_000 };
const mostTests = 3;

/** The tests nearest to what the decision changes, whole if they are short. */
async function nearestTests(
  { affected_files: affected }: ContextPackage,
  { codebase }: PlanningInput,
  { repository }: Pick<Tools, 'repository'>,
): Promise<Excerpts> {
  const tests = testMap(await repository.files());
  const near = [
    ...affected.flatMap(({ file }) => tests.of(file)),
    ...codebase.relevant_files.flatMap(({ path }) => tests.of(path)),
  ];
  const wanted = [...new Set(near)]
    .slice(0, mostTests)
    .map((path) => ({ path, whole: true, parts: [{ start: 1, end: 60 }] }));
  return await readExcerpts(wanted, (path) => repository.read(path), testLimits);
}

/** Runs proofs at the base as one recorded step; those that are refused, or clash with `standing` ones, do not run. */
async function tryProofs(
  { tools, copy, signal }: Bench,
  step: Step,
  { proposed, standing }: ProposedProofs,
): Promise<readonly ProofTrial[]> {
  const proofs = proposed.map(tidyProof);
  const refused = await refuseProofs({ proposed: proofs, standing }, tools.repository);
  const runnable = proofs.filter(({ id }) => !refused.has(id));
  const input = { proofs: runnable.map(proofHash) };
  const { results, obstacle } = await recordStep(
    { tools, signal, step, input, shape: ProofRuns },
    () => copy.run(runnable),
  );
  return proofs.map((proof) => {
    const { id } = proof;
    const why = refused.get(id) ?? obstacle ?? '';
    // What nothing could run has nothing that its author could mend.
    const state = refused.has(id) ? 'cannot-run' : 'unsteady';
    return { state, why, runs: [], ...results.find((one) => one.id === id), id, proof };
  });
}

/** What goes back to the author of a proof; empty if it showed what it was to show, or changed its mind. */
function returnOf({ id, proof, state, why, runs }: ProofTrial): readonly ReturnedProof[] {
  if (state === 'unsteady' || state === proof.expect_today) return [];
  const problem = {
    'cannot-run': `it cannot run at the base: ${why}`,
    holds: 'it passes today, although it was to fail',
    fails: `it fails today, although it was to hold: ${why}`,
  }[state];
  return [{ id, problem, output: runs.at(-1)?.output ?? '' }];
}

/** Sorts proofs into those that count, as the plan carries them, and those that are dropped. */
function sortTrials(
  tried: readonly ProofTrial[],
  by: Pick<PackagedProof, 'author' | 'vendor'>,
): Pick<ProofSet, 'proofs' | 'dropped'> {
  const [proofs, dropped]: [PackagedProof[], ProofSet['dropped']] = [[], []];
  for (const { id, proof, state, why } of tried) {
    if (state === 'fails' || state === 'holds')
      proofs.push({ ...proof, ...by, state, why, hash: proofHash(proof) });
    else dropped.push({ id, sentence: proof.sentence, why });
  }
  return { proofs, dropped };
}

function noteOn(author: string, { executor, own }: Authors): string {
  if (executor === null || !own.includes(author)) return '';
  const whose = author === executor ? author : `${author}, of the vendor of ${executor}`;
  return `The tests are by ${whose}, who is to do the work: nobody of another vendor could write them.`;
}

interface Revision extends Omit<Bench, 'copy'> {
  readonly planning: PlanningInput;
  /** The number of the review that follows. */
  readonly review: number;
  readonly comments: readonly PlanComment[];
  /** Who says so. */
  readonly by: 'a person' | 'the planner';
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
  const { planning, review, by, tools, signal } = revision;
  const comments = revision.comments.filter((one) => proofOf(one) !== null);
  const own = steps.proof(planning.number, review);
  const step = { tools, signal, step: own.begin, shape: ProofSet.nullable() };
  const current = await recordStep(step, () => readCurrent(tools));
  const { proofs = [], author = null, set_up: setUp = [] } = current ?? {};
  if (comments.length === 0 || author === null) return;
  tools.emit({ type: 'phase.entered', phase: 'proof', round: null });
  const returned = comments.map((one) => {
    return { id: proofOf(one), problem: `${by} says: ${one.text}`, output: '' };
  });
  const folder = `proof/${planning.number}/revision-${review}`;
  const contextPackage = buildContextPackage(planning, tools.folder.id);
  const about = { ...planning, tools, package: contextPackage, folder };
  const question = returnQuestion(about, own.ask, { proofs, returned });
  const { answer } = await askSeat({ tools, question, names: [author], signal });
  if (answer === null) {
    const text = 'The author of the tests gave no answer to the comments, so they are unchanged.';
    tools.emit({ type: 'warning.raised', text });
    return;
  }
  const { agent, receipt, value } = answer;
  await using copy = proofCopy({ tools, setUp, signal });
  const tried = await tryProofs({ tools, copy, signal }, own.base, {
    proposed: value.proofs,
    standing: proofs,
  });
  const written = { author: agent.name, vendor: receipt.vendor };
  const made = { ...sortTrials(tried, written), unproven: value.unproven };
  const write = { tools, signal, step: own.write, shape: z.null() };
  await recordStep(write, async () => {
    await putProofs(tools, made);
    return null;
  });
  announceProofs({ author: agent.name, note: noteOnNew(made), ...made }, tools);
}

const noteOnNew = ({ dropped }: Pick<ProofSet, 'dropped'>) =>
  dropped.length === 0 ? '' : 'Where a new version is dropped, the one before it stays.';

/** The proofs of the plan as they are on disk, with who wrote them; null without any. */
async function readCurrent(tools: Tools): Promise<ProofSet | null> {
  const stored = await readUncheckedPlan(tools);
  const set = await readProofSet(tools.folder);
  const planned = stored?.plan.proofs;
  if (planned === undefined || set === null) return null;
  return { ...set, proofs: [...(await readProofs(tools.folder, planned))] };
}

/**
 * Runs at the base what a person edited in `proof/tests/`, and gives it its new hash; one that shows nothing keeps
 * the old hash, so that the plan cannot be approved with it.
 */
export async function rerunEdited(tools: Tools, signal: AbortSignal): Promise<void> {
  const { proofs = [], set_up: setUp = [] } = (await readCurrent(tools)) ?? {};
  const edited = proofs.filter((proof) => proofHash(proof) !== proof.hash);
  if (edited.length === 0) return;
  tools.emit({ type: 'phase.entered', phase: 'proof', round: null });
  await using copy = proofCopy({ setUp, tools, signal });
  const { results, obstacle } = await copy.run(edited);
  if (obstacle !== null) tools.emit({ type: 'warning.raised', text: obstacle });
  const tried = edited.flatMap((proof, at) => {
    const result = results[at];
    return result === undefined ? [] : { ...result, proof };
  });
  const made = sortTrials(tried, { author: 'user', vendor: null });
  await putProofs(tools, made);
  announceProofs({ author: 'user', note: noteOnNew(made), unproven: [], ...made }, tools);
}

/** Puts new versions of proofs into the plan on disk, and into `proof/`. */
async function putProofs(
  tools: Tools,
  { proofs: made, unproven }: Pick<ProofSet, 'proofs'> & Partial<Pick<ProofSet, 'unproven'>>,
): Promise<void> {
  const stored = await readUncheckedPlan(tools);
  if (stored === null || (made.length === 0 && unproven === undefined)) return;
  const set = await readProofSet(tools.folder);
  if (set !== null)
    await writeProofs(tools.folder, { ...set, proofs: replaceById(set.proofs, made) }, made);
  const { tasks } = stored;
  const proofs = replaceById(stored.plan.proofs ?? [], made.map(withoutCode));
  const plan = { ...stored.plan, proofs, ...(unproven === undefined ? {} : { unproven }) };
  const packed = await packProofs(tools.folder, plan);
  const contextPackage = { ...stored.contextPackage, ...packed };
  await tools.folder.writeJson('context-package.json', contextPackage);
  const changed: PlannedFiles = { plan, tasks, contextPackage };
  const findings = await planFindingsOf({ ...changed, tools });
  await writePlan({ ...changed, findings, before: tasks, folder: tools.folder });
}

function replaceById<T extends Pick<Proof, 'id'>>(all: readonly T[], made: readonly T[]): T[] {
  const byId = new Map(made.map((one) => [one.id, one]));
  const known = all.map((one) => byId.get(one.id) ?? one);
  return [...known, ...made.filter(({ id }) => !all.some((one) => one.id === id))];
}
