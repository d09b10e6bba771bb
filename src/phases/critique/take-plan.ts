// Makes a plan that somebody else has written the one solution of a first round in which nobody is asked.
import { z } from 'zod';
import { type GivenPlan, NamedPlace } from '../../model/critique.ts';
import type { RunSettings } from '../../model/session.ts';
import { steps } from '../../model/steps.ts';
import { planAuthor, Synthesis } from '../../model/synthesis.ts';
import { checkProposal } from '../discussion/check-references.ts';
import { synthesize } from '../discussion/synthesize.ts';
import { type Tools, recordStep } from '../tools.ts';
import { checkPlan } from './check-work-tree.ts';
import { solutionOf, structurePlan } from './structure-plan.ts';

/** The plan as it was given, in the session folder. */
export const givenPlanFile = 'critique/plan.md';

export const TakenPlan = z.object({
  synthesis: Synthesis,
  places: z.array(NamedPlace),
  unchecked: z.string().nullable().default(null),
  structured_by: z.string(),
});
export type TakenPlan = z.infer<typeof TakenPlan> & { readonly settings: RunSettings };

/** Checks the places of the plan, and takes it apart into tasks. */
export async function takePlan(
  { given, settings }: { readonly given: GivenPlan; readonly settings: RunSettings },
  tools: Tools,
  signal: AbortSignal,
): Promise<TakenPlan> {
  const step = { tools, signal, step: steps.critique.given, shape: TakenPlan };
  const taken = await recordStep(step, async () => {
    const { repository } = tools;
    await tools.folder.write(givenPlanFile, given.text);
    const { places: found, unchecked } = await checkPlan(given.text, repository.root, signal);
    const places = [...found];
    const parts = given.parts ?? structurePlan(given.text, places);
    const structured_by = given.parts === null ? 'rules' : planAuthor;
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
    return { synthesis, places, unchecked, structured_by };
  });
  return { ...taken, settings };
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
