// Has acceptance tests written before the plan by somebody who will not do the work, and runs them at the base.
import type { Agent } from '../../agents/agent.ts';
import { testMap } from '../../context/tests-of.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import {
  type PackagedProof,
  type Proof,
  ProofAnswer,
  type ProofResult,
  ProofRuns,
  ProofSet,
  mostProofs,
} from '../../model/proof.ts';
import type { Receipt } from '../../model/receipt.ts';
import type { Call } from '../../model/step.ts';
import { type RequestPhase, steps } from '../../model/steps.ts';
import { type Excerpts, readExcerpts } from '../../prompts/excerpts.ts';
import { type ReturnedProof, proofPrompt, proofReturnPrompt } from '../../prompts/proof-prompt.ts';
import { askInSession } from '../asking/ask-agent.ts';
import { askSeat, tellStandIn } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { choiceFor } from '../../model/phase-choice.ts';
import { type PlanningInput, buildContextPackage } from '../planning/planning-input.ts';
import { type Tools, promptInput, recordStep } from '../phase-tools.ts';
import { wordsFor } from '../shown-code.ts';
import { refuseProofs, tidyProof } from './check-proofs.ts';
import type { Authors } from './choose-author.ts';
import { proofHash, writeProofs } from './proof-files.ts';
import { runProofs } from './run-proofs.ts';

export interface ProofRun {
  readonly planning: PlanningInput;
  readonly authors: Authors;
  /** The commands that prepare the copy; empty for none. */
  readonly setUp: readonly string[];
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

/** A proof with what its runs showed; one that was refused cannot run. */
export interface ProofTrial {
  readonly proof: Proof;
  readonly result: ProofResult;
}

/** Has the first of the authors who answers write the proofs, and keeps those that showed something at the base. */
export async function makeProofs(run: ProofRun): Promise<ProofSet> {
  const { planning, authors, tools, signal } = run;
  const own = steps.proof(planning.number);
  tellStandIn(tools, {
    phase: 'proof',
    wanted: choiceFor(tools.phases, 'proof').agent,
    agent: authors.names[0],
  });
  const question = authorQuestion(run, own.ask, null);
  const { answer } = await askSeat({ tools, question, names: authors.names, signal });
  if (answer === null) return { ...noProofs('No agent answered with acceptance tests.') };
  const first = await tryProofs(run, own.base, answer.value.proofs);
  const returned = first.flatMap(returnOf);
  const again = returned.length === 0 ? null : await askAgain(run, own, { ...answer, returned });
  const tried =
    again === null ? first : await tryAgain(run, own.baseAgain, { first, changed: again.proofs });
  const { unproven } = again ?? answer.value;
  const shape = ProofSet;
  const made = await recordStep({ tools, signal, step: own.write, shape }, async () => {
    const set = setOf(tried, { ...answer, authors, unproven, setUp: run.setUp });
    await writeProofs(tools.folder, set);
    return set;
  });
  announceProofs(made, tools);
  return made;
}

/** The outcome without any proof, with the reason. */
export function noProofs(note: string): ProofSet {
  return { author: null, vendor: null, note, set_up: [], proofs: [], dropped: [], unproven: [] };
}

/** Reports the proofs, one fact for each. */
export function announceProofs(
  { author, note, proofs, dropped, unproven }: Omit<ProofSet, 'set_up'>,
  { emit }: Pick<Tools, 'emit'>,
): void {
  emit({
    type: 'proof.written',
    author: author ?? '',
    note,
    proofs: proofs.map(({ id, path, sentence, state, why }) => {
      return { id, path, sentence, state, why };
    }),
    dropped,
    unproven,
  });
}

/** Builds the request to an author: for all proofs, or for those that come back. */
export function authorQuestion(
  { planning, tools }: Pick<ProofRun, 'planning' | 'tools'>,
  call: Call<RequestPhase>,
  back: { readonly proofs: readonly Proof[]; readonly returned: readonly ReturnedProof[] } | null,
): Question<ProofAnswer> {
  const { number, task, codebase } = planning;
  const contextPackage = buildContextPackage(planning, tools.folder.id);
  const parts = (agent: Agent) => ({
    ...promptInput(tools, agent, { round: number, schema: 'proof-answer' }),
    package: contextPackage,
  });
  return {
    call,
    round: number,
    folderFor: (agent) => `proof/${number}/${call.name}/${agent}`,
    meaning: {
      solution: contextPackage.solution.name,
      ...(back === null ? {} : { returned: back.returned.map(({ id, problem }) => [id, problem]) }),
    },
    task,
    context: null,
    constraints: contextPackage.constraints,
    schema: 'proof-answer',
    shape: ProofAnswer,
    expected: { session: tools.folder.id, phase: 'proof' },
    summaryOf: ({ proofs }) => proofs.map(({ id, sentence }) => `${id} ${sentence}`).join('; '),
    promptFor: async (agent) =>
      back === null
        ? proofPrompt({
            ...parts(agent),
            ...wordsFor(agent, codebase),
            tests: await nearestTests(contextPackage, planning, tools),
          })
        : proofReturnPrompt({ ...parts(agent), ...back }),
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

/** Runs proofs at the base as one recorded step; those that are refused do not run. */
export async function tryProofs(
  { tools, setUp, signal }: Pick<ProofRun, 'tools' | 'setUp' | 'signal'>,
  step: ReturnType<typeof steps.proof>['base'],
  proposed: readonly Proof[],
): Promise<readonly ProofTrial[]> {
  const proofs = proposed.map(tidyProof);
  const refused = await refuseProofs(proofs, tools.repository);
  const runnable = proofs.filter(({ id }) => !refused.has(id));
  const input = { proofs: runnable.map(proofHash) };
  const { results, obstacle } = await recordStep(
    { tools, signal, step, input, shape: ProofRuns },
    async () => await runProofs({ proofs: runnable, setUp, tools, signal }),
  );
  return proofs.map((proof) => {
    const { id } = proof;
    const why = refused.get(id) ?? obstacle ?? '';
    const none = { id, state: 'cannot-run' as const, why, output: '', needs_only: false, runs: [] };
    return { proof, result: results.find((one) => one.id === id) ?? none };
  });
}

/** What goes back to the author of a proof; empty if it showed what it was to show, or changed its mind. */
function returnOf({ proof, result }: ProofTrial): readonly ReturnedProof[] {
  const { id, expect_today: foretold } = proof;
  const { state, why, output } = result;
  if (state === 'unsteady' || state === foretold) return [];
  const problem = {
    'cannot-run': `it cannot run at the base: ${why}`,
    holds: 'it passes today, although it was to fail',
    fails: `it fails today, although it was to hold: ${why}`,
  }[state];
  return [{ id, problem, output }];
}

async function askAgain(
  run: ProofRun,
  own: ReturnType<typeof steps.proof>,
  given: {
    readonly agent: Agent;
    readonly value: ProofAnswer;
    readonly receipt: Receipt;
    readonly returned: readonly ReturnedProof[];
  },
): Promise<ProofAnswer | null> {
  const { agent, value, receipt, returned } = given;
  const { tools, signal } = run;
  const question = authorQuestion(run, own.mend, { proofs: value.proofs, returned });
  const attempt = await askInSession({ tools, question, agent, receipt, signal });
  return attempt.ended === 'answered' ? attempt.value : null;
}

/** Runs what its author changed, and keeps what the others showed. */
async function tryAgain(
  run: ProofRun,
  step: ReturnType<typeof steps.proof>['base'],
  { first, changed }: { readonly first: readonly ProofTrial[]; readonly changed: readonly Proof[] },
): Promise<readonly ProofTrial[]> {
  const ids = new Set(changed.map(({ id }) => id));
  const others = first.filter(({ proof }) => !ids.has(proof.id));
  const room = mostProofs - others.length;
  const again = await tryProofs(run, step, changed.slice(0, room));
  const byId = new Map(again.map((one) => [one.proof.id, one]));
  const known = first.map((one) => byId.get(one.proof.id) ?? one);
  return [
    ...known,
    ...again.filter(({ proof }) => !first.some((one) => one.proof.id === proof.id)),
  ];
}

/** Sorts the proofs into those that count and those that are dropped. */
function setOf(
  tried: readonly ProofTrial[],
  made: {
    readonly agent: Agent;
    readonly receipt: Receipt;
    readonly authors: Authors;
    readonly setUp: readonly string[];
    readonly unproven: ProofAnswer['unproven'];
  },
): ProofSet {
  const { agent, receipt, authors, unproven, setUp } = made;
  const by = { author: agent.name, vendor: receipt.vendor };
  const proofs = tried.flatMap((one) => takeProof(one, by));
  const kept = new Set(proofs.map(({ id }) => id));
  const dropped = tried
    .filter(({ proof }) => !kept.has(proof.id))
    .map(({ proof: { id, sentence }, result: { why } }) => ({ id, sentence, why }));
  return { ...by, note: noteOn(agent.name, authors), set_up: setUp, proofs, dropped, unproven };
}

/** The proof as the plan carries it, if its runs showed something; else nothing. */
export function takeProof(
  { proof, result }: ProofTrial,
  by: Pick<PackagedProof, 'author' | 'vendor'>,
): readonly PackagedProof[] {
  const { state, why } = result;
  if (state !== 'fails' && state !== 'holds') return [];
  return [{ ...proof, ...by, state, why, hash: proofHash(proof) }];
}

function noteOn(author: string, { executor, own }: Authors): string {
  if (executor === null || !own.includes(author)) return '';
  const whose = author === executor ? author : `${author}, of the vendor of ${executor}`;
  return `The tests are by ${whose}, who is to do the work: nobody of another vendor could write them.`;
}
