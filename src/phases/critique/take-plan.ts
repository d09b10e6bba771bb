// Makes a plan from outside the only solution of a first round in which no agent is asked.
import { z } from 'zod';
import { Text, TextOrNull } from '../../model/plain-shapes.ts';
import { type GivenPlan, NamedPlace, StructuredPlan } from '../../model/critique.ts';
import { planAuthor } from '../../model/id-patterns.ts';
import type { PlanParts } from '../../model/proposal.ts';
import type { RunSettings } from '../../model/run-settings.ts';
import { steps } from '../../model/steps.ts';
import { Synthesis } from '../../model/synthesis.ts';
import { checkProposal } from '../discussion/check-references.ts';
import { synthesize } from '../discussion/synthesize.ts';
import { type Tools, recordStep, promptInput } from '../phase-tools.ts';
import type { Attempt } from '../../agents/attempt.ts';
import { counted } from '../../model/wording.ts';
import { structurePrompt } from '../../prompts/critique-prompt.ts';
import { askOnce } from '../asking/ask-agent.ts';
import { findReadyModel } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { seatExaminers } from '../discussion/seats.ts';
import { checkPlan } from './check-work-tree.ts';
import {
  filesInText,
  partsAsRead,
  solutionOf,
  structurePlan,
  isReadByRules,
} from './structure-plan.ts';

/** The given plan, in the session folder. */
export const givenPlanFile = 'critique/plan.md';

export const TakenPlan = z.object({
  synthesis: Synthesis,
  places: z.array(NamedPlace),
  unchecked: TextOrNull,
  structured_by: Text,
  structure_note: TextOrNull,
});
export type TakenPlan = z.infer<typeof TakenPlan> & { readonly settings: RunSettings };

/** Checks the places of the plan and splits it into tasks; one call of an agent helps if rules cannot. */
export async function takePlan(
  { given, settings }: { readonly given: GivenPlan; readonly settings: RunSettings },
  tools: Tools,
  signal: AbortSignal,
): Promise<TakenPlan> {
  const read = await askForSteps({ given, settings }, tools, signal);
  const step = { tools, signal, step: steps.critique.given, shape: TakenPlan };
  const taken = await recordStep(step, async () => {
    const { repository } = tools;
    await tools.folder.write(givenPlanFile, given.text);
    const checked = await checkPlan(given.text, repository.root, signal);
    const { unchecked } = checked;
    const places = [...checked.places];
    const parts = given.parts ?? (await partsOf(given.text, { read, places }, tools, signal));
    const structured_by = given.parts === null ? (read.answer?.by ?? 'rules') : planAuthor;
    const author = { agent: planAuthor, kind: 'model', vendor: given.host_vendor } as const;
    const solution = solutionOf(parts);
    const candidate = await checkProposal({ repository, author, solution });
    const synthesis = synthesize({
      sessionId: tools.folder.id,
      round: 1,
      answers: [{ ...emptyAnswer, ...author, candidates: [candidate] }],
      previous: null,
      compared: [],
      receipts: [],
      unanswered: [],
      notes: [],
    });
    await tools.folder.writeJson('rounds/1/synthesis.json', synthesis);
    const structure_note = read.note;
    return { synthesis, places, unchecked, structured_by, structure_note };
  });
  return { ...taken, settings };
}

/** Looks up files that only an agent found in the text; they do not count as places of the verdict. */
async function partsOf(
  text: string,
  { read, places }: { readonly read: ReadSteps; readonly places: readonly NamedPlace[] },
  { repository }: Tools,
  signal: AbortSignal,
): Promise<PlanParts> {
  if (read.answer === null) return structurePlan(text, places);
  const { plan } = read.answer;
  const unseen = filesInText(plan, text).filter((file) =>
    places.every(({ path }) => path !== file),
  );
  const list = unseen.map((path) => `- \`${path}\``).join('\n');
  const looked = await checkPlan(list, repository.root, signal);
  return partsAsRead(plan, { text, places: [...places, ...looked.places] });
}

const emptyAnswer = {
  preferred: null,
  stances: [],
  adopted: [],
  verdicts: [],
  questions: [],
  assumptions: [],
  searchTerms: [],
  notes: [],
};

/** The steps of a plan as an agent read them. */
interface ReadSteps {
  /** Null if rules take the plan apart. */
  readonly answer: { readonly by: string; readonly plan: StructuredPlan } | null;
  /** The reason why rules do it although an agent would have done it better; null if there is nothing to report. */
  readonly note: string | null;
}

interface PlanToRead {
  readonly given: GivenPlan;
  readonly settings: RunSettings;
}

/** Has an agent list the steps, as a recorded step, unless the author named them or rules find them. */
async function askForSteps(
  plan: PlanToRead,
  tools: Tools,
  signal: AbortSignal,
): Promise<ReadSteps> {
  const { parts, text } = plan.given;
  if (parts !== null || isReadByRules(text)) return { answer: null, note: null };
  const { agent: name, note } = await chooseStructurer(plan, tools, signal);
  const agent = name === null ? undefined : tools.agents.get(name);
  if (agent === undefined) return { answer: null, note: note ?? `${name} is gone` };
  const question = structureQuestion(text, tools);
  return readSteps(await askOnce({ tools, question, agent, mostMs: longest, signal }));
}

/** The longest wait, in ms: a plan is not worth more. */
const longest = 60_000;
/** The longest plan that is sent, in characters: a call for a longer one would not be cheap. */
const longestPlan = 50_000;

const Structurer = z.object({ agent: TextOrNull, note: TextOrNull });
type Structurer = z.infer<typeof Structurer>;

/** Picks the first examiner that is ready; recorded, because it depends on who is ready now and on the budget. */
async function chooseStructurer(
  { given, settings }: PlanToRead,
  tools: Tools,
  signal: AbortSignal,
): Promise<Structurer> {
  const step = { tools, signal, step: steps.critique.structurer, shape: Structurer };
  return await recordStep(step, async () => {
    if (given.text.length > longestPlan)
      return nobody('it is too long to ask an agent for its steps');
    const { agents, budget } = tools;
    const { seats, chain } = seatExaminers({ settings, agents, vendor: given.host_vendor });
    // The examination takes precedence.
    if (!budget.fits(seats.length + 1))
      return nobody('the budget has no room to ask an agent for its steps');
    const names = [...seats, ...chain].filter(
      (name) => agents.loginOf(name).state !== 'logged-out',
    );
    const agent = await findReadyModel(names, agents, signal);
    return agent === null ? nobody('no agent is ready to read its steps') : { agent, note: null };
  });
}

function nobody(note: string): Structurer {
  return { agent: null, note };
}

function structureQuestion(text: string, tools: Tools): Question<StructuredPlan> {
  const [round, schema] = [1, 'structured-plan'] as const;
  return {
    call: steps.critique.structure,
    round,
    folderFor: (agent) => `critique/structure/${agent}`,
    meaning: { plan: text },
    task: '',
    context: null,
    constraints: [],
    schema,
    shape: StructuredPlan,
    expected: { session: tools.folder.id, phase: 'structure-plan' },
    summaryOf: (answer) => `${counted(answer.steps.length, 'step')} of the plan`,
    promptFor: async (agent) =>
      structurePrompt({ ...promptInput(tools, agent, { round, schema }), plan: text }),
  };
}

function readSteps(attempt: Attempt<StructuredPlan>): ReadSteps {
  const { agent: by } = attempt.receipt;
  if (attempt.ended !== 'answered')
    return { answer: null, note: `${by} could not read its steps: ${attempt.failure.detail}` };
  if (attempt.value.steps.length === 0) return { answer: null, note: `${by} found no steps in it` };
  return { answer: { by, plan: attempt.value }, note: null };
}
