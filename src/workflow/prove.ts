// Decides if acceptance tests are written before the plan, asks the user once per project, and has them made.
import { z } from 'zod';
import { Flag, Text, TextOrNull, Texts } from '../model/plain-shapes.ts';
import { chosenFirst } from '../model/phase-choice.ts';
import { mostProofs, type ProofSet } from '../model/proof.ts';
import { steps } from '../model/steps.ts';
import { type Authors, chooseAuthors } from '../phases/proof/choose-author.ts';
import { proofReadiness, rememberConsent } from '../phases/proof/proof-consent.ts';
import { reviseProofs } from '../phases/proof/revise-proofs.ts';
import { makeProofs, noProofs } from '../phases/proof/make-proofs.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import { recordStep } from '../phases/phase-tools.ts';
import { type PhaseRun, approvalIn, candidatesOf, planningOf, requireValue } from './phase-run.ts';
import type { ChoiceQuestion } from './view-port.ts';

/** Has the proofs of the decision made; null if the user wants none. */
export async function prove(run: PhaseRun): Promise<ProofSet | null> {
  const { context, tools, signal } = run;
  if (context.comments !== null) {
    const { comments, reviews: review } = context;
    const isProven = (context.proofs?.author ?? null) !== null;
    if (isProven)
      await reviseProofs({ planning: planningOf(run), review, comments, tools, signal });
    return context.proofs;
  }
  const own = steps.proof(context.decisions);
  const step = { tools, signal, step: own.begin, shape: Beginning };
  const { isWanted, obstacle, consent, setUp, lines } = await recordStep(step, () => begin(run));
  if (!isWanted) return null;
  if (obstacle !== null) return skip(run, obstacle);
  tools.emit({ type: 'phase.entered', phase: 'proof', round: null });
  const planning = planningOf(run);
  const authors = await authorsOf(run, planning.planners);
  if (authors.names.length === 0) {
    return skip(run, 'no agent with a model is ready to write acceptance tests');
  }
  const may = consent === 'given' || (await askConsent(run, { authors, setUp, lines }));
  if (!may) return skip(run, 'you have not allowed code before the approval here');
  return await makeProofs({ planning, authors, setUp, tools, signal });
}

const Beginning = z.object({
  isWanted: Flag,
  obstacle: TextOrNull,
  consent: z.enum(['given', 'ask']),
  setUp: Texts.readonly(),
  lines: Texts.readonly(),
});

/** Looks at what stands in the way; the answer is recorded, so that a resumed session goes the same way. */
async function begin(run: PhaseRun): Promise<z.infer<typeof Beginning>> {
  const { context, tools, view, signal } = run;
  const { codeBeforeApproval: allowed } = tools.execution.settings;
  const nothing = { isWanted: true, consent: 'ask', setUp: [], lines: [] } as const;
  if (!tools.proves || allowed === 'off') return { ...nothing, isWanted: false, obstacle: null };
  const { receipts } = requireValue(context.last).synthesis;
  const isDraft = receipts.every(({ agent }) => tools.agents.get(agent)?.kind !== 'model');
  if (isDraft) return { ...nothing, obstacle: 'no agent with a model takes part' };
  if (allowed === 'ask' && view.letsUnconfined !== true) {
    return { ...nothing, obstacle: nobodyAllowed };
  }
  const { obstacle, consent, setUp, lines } = await proofReadiness(tools, signal);
  return { isWanted: true, obstacle, consent, setUp, lines };
}

const nobodyAllowed =
  'nobody has allowed code before the approval for this project (code_before_approval = "on" under [workflow] in your settings does)';

function skip({ tools }: PhaseRun, why: string): ProofSet {
  tools.emit({ type: 'proof.skipped', why });
  return noProofs(why);
}

function authorsOf(run: PhaseRun, planners: readonly string[]): Promise<Authors> {
  const { context, tools, settings, signal } = run;
  const { receipts } = requireValue(context.last).synthesis;
  const chain = tools.seatsAreChosen ? [] : [...settings.tools, ...settings.fallback_chain];
  const tookPart = receipts.map(({ agent }) => agent);
  const choice = {
    method: approvalIn(context).execution_method,
    planners,
    executors: chosenFirst(tools.phases, 'execution', plannerNames(candidatesOf(run))),
    candidates: [...tookPart, ...chain],
    receipts,
  };
  return chooseAuthors(choice, steps.proof(context.decisions), { tools, signal });
}

/** Asks if tests may be written and run before the approval, and keeps a yes for the project. */
async function askConsent(
  { context, tools, view, signal }: PhaseRun,
  {
    authors,
    setUp,
    lines,
  }: Pick<z.infer<typeof Beginning>, 'setUp' | 'lines'> & { readonly authors: Authors },
): Promise<boolean> {
  const { consent: step } = steps.proof(context.decisions);
  const input = { lines };
  const answer = await recordStep({ tools, signal, step, input, shape: Text }, async () => {
    const given = await view.choose(consentQuestion(tools.folder.id, authors, lines), signal);
    const problem = given === 'yes' ? await rememberConsent(tools, { setUp }) : null;
    if (problem !== null) tools.emit({ type: 'warning.raised', text: problem });
    return given;
  });
  return answer === 'yes';
}

function consentQuestion(
  session: string,
  { names, executor }: Authors,
  lines: readonly string[],
): ChoiceQuestion {
  const [author = ''] = names;
  const others = executor === null ? '' : `, before ${executor} or anybody works on it`;
  return {
    session,
    name: 'Proof',
    asks: 'May acceptance tests be written and run before you approve the plan?',
    lines: [
      `${author} writes up to ${mostProofs} test files for the decision${others}. They run on the code as it is, in a copy, and you see them with the plan.`,
      ...lines,
    ],
    choices: [
      {
        word: 'yes',
        name: 'Yes',
        means: 'for this project, from now on',
        does: 'have the tests written, and remember it for this project',
      },
    ],
    usual: {
      word: 'no',
      name: 'Not now',
      means: 'plan without tests this time',
      does: 'plan without tests',
    },
  };
}
