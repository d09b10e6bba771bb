// Decides if acceptance tests are written before the plan, asks the user once per project, and has them made.
import { z } from 'zod';
import { Text, TextOrNull, Texts } from '../model/plain-shapes.ts';
import { chosenFirst } from '../model/phase-choice.ts';
import { mostProofs, proofConsent, type ProofSet } from '../model/proof.ts';
import { steps } from '../model/steps.ts';
import { listed } from '../model/wording.ts';
import { type Authors, chooseAuthors } from '../phases/proof/choose-author.ts';
import { proofReadiness, rememberConsent } from '../phases/proof/proof-consent.ts';
import { makeProofs, reviseProofs, skipProofs } from '../phases/proof/make-proofs.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import { recordStep } from '../phases/phase-tools.ts';
import { type PhaseRun, approvalIn, candidatesOf, planningOf, requireValue } from './phase-run.ts';
import type { ChoiceQuestion } from './view-port.ts';

/** Has the proofs of the decision made; null if the user wants none. */
export async function prove(run: PhaseRun): Promise<ProofSet | null> {
  const { context, tools, settings, signal } = run;
  if (context.comments !== null) {
    const { comments, reviews: review } = context;
    const isProven = (context.proofs?.author ?? null) !== null;
    if (isProven)
      await reviseProofs({
        planning: planningOf(run),
        review,
        comments,
        by: context.planReview === null ? 'the planner' : 'a person',
        tools,
        signal,
      });
    return context.proofs;
  }
  const own = steps.proof(context.decisions);
  const step = { tools, signal, step: own.begin, shape: Beginning };
  const { obstacle, consent, setUp, lines } = await recordStep(step, () => begin(run));
  if (obstacle === '') return null;
  if (obstacle !== null) return skipProofs(tools, obstacle);
  tools.emit({ type: 'phase.entered', phase: 'proof', round: null });
  const planning = planningOf(run);
  const { receipts } = requireValue(context.last).synthesis;
  const chain = tools.seatsAreChosen ? [] : [...settings.tools, ...settings.fallback_chain];
  const choice = {
    method: approvalIn(context).execution_method,
    planners: planning.planners,
    executors: chosenFirst(tools.phases, 'execution', plannerNames(candidatesOf(run))),
    candidates: [...receipts.map(({ agent }) => agent), ...chain],
    receipts,
  };
  const authors = await chooseAuthors(choice, own, { tools, signal });
  if (authors.names.length === 0) {
    return skipProofs(tools, 'no agent with a model is ready to write acceptance tests');
  }
  const may = consent === 'given' || (await askConsent(run, authors, { setUp, lines }));
  if (!may) return skipProofs(tools, 'you have not allowed code before the approval here');
  return await makeProofs({ planning, authors, setUp, tools, signal });
}

const Beginning = z.object({
  obstacle: TextOrNull.describe('Why there is no proof; empty where none is wanted.'),
  consent: z.enum(['given', 'ask']),
  setUp: Texts.readonly(),
  lines: Texts.readonly(),
});

/** Has the confinement tried while the agents discuss, as the first time on a machine takes a while. */
export async function tryConfinement(
  { tools, view, settings }: Pick<PhaseRun, 'tools' | 'view' | 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  const isDraft = settings.tools.every((name) => tools.agents.get(name)?.kind !== 'model');
  if (isDraft || tools.steps.replaying || proofObstacle({ tools, view }) !== null) return;
  // What went wrong is found again, and told, where the proof begins.
  await proofReadiness(tools, signal).catch(() => null);
}

/** Says why nobody can allow code before the approval; empty where none is wanted, null if somebody can. */
function proofObstacle({ tools, view }: Pick<PhaseRun, 'tools' | 'view'>): string | null {
  const { codeBeforeApproval: allowed } = tools.execution.settings;
  if (!tools.proves || allowed === 'off') return '';
  return allowed === 'on' || view.takesConsent === true
    ? null
    : 'nobody has allowed code before the approval for this project (code_before_approval = "on" under [workflow] in your settings does)';
}

/** Looks at what stands in the way; the answer is recorded, so that a resumed session goes the same way. */
async function begin(run: PhaseRun): Promise<z.infer<typeof Beginning>> {
  const { context, tools, confinement, signal } = run;
  const { receipts } = requireValue(context.last).synthesis;
  const isDraft = receipts.every(({ agent }) => tools.agents.get(agent)?.kind !== 'model');
  const unasked = proofObstacle(run);
  const obstacle = isDraft && unasked !== '' ? 'no agent with a model takes part' : unasked;
  if (obstacle !== null) return { obstacle, consent: 'ask', setUp: [], lines: [] };
  await confinement;
  return await proofReadiness(tools, signal);
}

/** Asks if tests may be written and run before the approval, and keeps a yes for the project. */
async function askConsent(
  { context, tools, view, signal }: PhaseRun,
  { names: [author = ''], executor }: Authors,
  { setUp, lines }: Pick<z.infer<typeof Beginning>, 'setUp' | 'lines'>,
): Promise<boolean> {
  const { build_facts: facts } = requireValue(context.codebase);
  const tests = facts.flatMap(({ kind, value }) => (kind === 'test' ? `\`${value}\`` : []));
  const others = executor === null ? '' : `, before ${executor} or anybody works on it`;
  const by =
    tests.length === 0
      ? 'by the runner of its language'
      : `as ${listed(tests)} runs those of the project`;
  const question: ChoiceQuestion = {
    session: tools.folder.id,
    ...proofConsent,
    lines: [
      `${author} writes up to ${mostProofs} test files for the decision${others}. Each runs alone, ${by}, on the code as it is, in a copy, and you see them with the plan.`,
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
  const { consent: step } = steps.proof(context.decisions);
  const asked = { tools, signal, step, input: { lines }, shape: Text };
  const answer = await recordStep(asked, async () => {
    const given = await view.choose(question, signal);
    const problem = given === 'yes' ? await rememberConsent(tools, setUp) : null;
    if (problem !== null) tools.emit({ type: 'warning.raised', text: problem });
    return given;
  });
  return answer === 'yes';
}
