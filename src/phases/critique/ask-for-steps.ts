// Has one agent list the steps of a plan that rules cannot take apart, in one short call.
import { z } from 'zod';
import type { Attempt } from '../../agents/attempt.ts';
import { type GivenPlan, StructuredPlan } from '../../model/critique.ts';
import type { RunSettings } from '../../model/session.ts';
import { steps } from '../../model/steps.ts';
import { counted } from '../../model/wording.ts';
import { structurePrompt } from '../../prompts/critique-prompt.ts';
import { askOnce } from '../asking/ask-agent.ts';
import { findReadyModel } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { seatExaminers } from '../discussion/seats.ts';
import { promptInput, recordStep, type Tools } from '../phase-tools.ts';
import { isReadByRules } from './structure-plan.ts';

/** The steps of a plan as an agent read them. */
export interface ReadSteps {
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
export async function askForSteps(
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

const Structurer = z.object({ agent: z.string().nullable(), note: z.string().nullable() });
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
