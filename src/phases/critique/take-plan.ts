// Makes a plan from outside the only solution of a first round in which no agent is asked.
import { z } from 'zod';
import { TextOrNull } from '../../model/plain-shapes.ts';
import { type GivenPlan, NamedPlace } from '../../model/critique.ts';
import { planAuthor } from '../../model/id-patterns.ts';
import type { RunSettings } from '../../model/run-settings.ts';
import { steps } from '../../model/steps.ts';
import { Synthesis } from '../../model/synthesis.ts';
import { checkProposal } from '../discussion/check-references.ts';
import { synthesize } from '../discussion/synthesize.ts';
import { emptyAnswer } from '../discussion/votes.ts';
import { type Tools, recordStep } from '../phase-tools.ts';
import { checkPlan } from './check-work-tree.ts';
import { solutionOf, structurePlan } from './structure-plan.ts';

/** The given plan, in the session folder. */
export const givenPlanFile = 'critique/plan.md';

export const TakenPlan = z.object({
  synthesis: Synthesis,
  places: z.array(NamedPlace),
  unchecked: TextOrNull,
});
export type TakenPlan = z.infer<typeof TakenPlan> & { readonly settings: RunSettings };

/** Checks the places of the plan and splits it into tasks, unless its author named them. */
export async function takePlan(
  { given, settings }: { readonly given: GivenPlan; readonly settings: RunSettings },
  tools: Tools,
  signal: AbortSignal,
): Promise<TakenPlan> {
  const step = { tools, signal, step: steps.critique.given, shape: TakenPlan };
  const taken = await recordStep(step, async () => {
    const { repository } = tools;
    await tools.folder.write(givenPlanFile, given.text);
    const checked = await checkPlan(given.text, repository.root, signal);
    const { unchecked } = checked;
    const places = [...checked.places];
    const parts = given.parts ?? structurePlan(given.text, places);
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
    return { synthesis, places, unchecked };
  });
  return { ...taken, settings };
}
