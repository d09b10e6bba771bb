// Has an agent rewrite a plan that examiners objected to; the given plan is kept.
import { z } from 'zod';
import { TextOrNull, Texts } from '../../model/plain-shapes.ts';
import { type Critique, type GivenPlan, RevisedPlan } from '../../model/critique.ts';
import { redactOutput } from '../../model/secrets.ts';
import { steps } from '../../model/steps.ts';
import { counted } from '../../model/wording.ts';
import { revisionPrompt } from '../../prompts/critique-prompt.ts';
import { askSeat } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { promptInput, recordStep, type Tools } from '../phase-tools.ts';
import { checkPlan } from './check-work-tree.ts';
import { critiqueFile } from './judge-plan.ts';

const revisedPlanFile = 'critique/revised-plan.md';

interface Revision {
  readonly critique: Critique;
  readonly given: GivenPlan;
  readonly task: string;
  readonly constraints: readonly string[];
  /** The agents that may be asked, in order. */
  readonly names: readonly string[];
}

const Revised = z.object({
  revised: TextOrNull,
  revised_by: TextOrNull,
  replies: RevisedPlan.shape.replies,
  /** The wrong places in the revised plan. */
  wrong: Texts,
});

/** Returns the verdict with the result of the revision; no agent is asked if nothing speaks against the plan. */
export async function revisePlanText(
  revision: Revision,
  tools: Tools,
  signal: AbortSignal,
): Promise<Critique> {
  const { critique, names } = revision;
  if (toMeet(critique).length === 0) return critique;
  const question = revisionQuestion(revision, tools);
  const { answer } = await askSeat({ tools, question, names, signal });
  if (answer === null) return critique;
  const step = { tools, signal, step: steps.critique.revised, shape: Revised };
  const { wrong, ...revised } = await recordStep(step, async () => {
    const text = redactOutput(`${answer.value.plan.trim()}\n`);
    const { places } = await checkPlan(text, tools.repository.root, signal);
    await tools.folder.write(revisedPlanFile, text);
    const { replies } = answer.value;
    const made = { revised: revisedPlanFile, revised_by: answer.agent.name, replies };
    await tools.folder.writeJson(critiqueFile, { ...critique, ...made });
    const wrongs = places.filter(({ status }) => status === 'wrong');
    return { ...made, wrong: wrongs.map(({ text: place, why }) => `${place} (${why})`) };
  });
  if (wrong.length > 0) {
    const text = `The revised plan still names ${counted(wrong.length, 'wrong place')}: ${wrong.join(', ')}`;
    tools.emit({ type: 'warning.raised', text });
  }
  return { ...critique, ...revised };
}

/** Everything that a new version has to address: wrong places, objections whose evidence was found, and wishes. */
function toMeet({ places, objections, changes }: Critique): readonly string[] {
  const wrong = places.filter(({ status }) => status === 'wrong');
  const said = [...objections, ...changes].filter(({ proven }) => proven);
  return [
    ...wrong.map(
      ({ text, plan_line: at, why }, index) => `P${index + 1}: ${text} (line ${at}): ${why}`,
    ),
    ...said.map(({ id, text, places: at }) => `${id}: ${text} (evidence: ${at.join(', ')})`),
  ];
}

function revisionQuestion(
  { critique, given, task, constraints }: Revision,
  tools: Tools,
): Question<RevisedPlan> {
  const objections = toMeet(critique);
  const [round, schema] = [2, 'revised-plan'] as const;
  return {
    call: steps.critique.revise,
    round,
    folderFor: (agent) => `critique/revision/${agent}`,
    meaning: { objections },
    task,
    context: null,
    constraints,
    schema,
    shape: RevisedPlan,
    expected: { session: tools.folder.id, phase: 'revise-plan' },
    summaryOf: ({ replies }) => `${counted(replies.length, 'objection')} answered`,
    promptFor: async (agent) =>
      revisionPrompt({
        ...promptInput(tools, agent, { round, schema }),
        request: { task, constraints, feedback: [], answers: [] },
        plan: given.text,
        objections,
      }),
  };
}
