// Makes a plan from outside the only solution of a first round in which no agent is asked.
import { z } from 'zod';
import { type GivenPlan, NamedPlace } from '../../model/critique.ts';
import { planAuthor } from '../../model/plan-author.ts';
import type { PlanParts } from '../../model/proposal.ts';
import type { RunSettings } from '../../model/session.ts';
import { steps } from '../../model/steps.ts';
import { Synthesis } from '../../model/synthesis.ts';
import { checkProposal } from '../discussion/check-references.ts';
import { synthesize } from '../discussion/synthesize.ts';
import { type Tools, recordStep } from '../phase-tools.ts';
import { askForSteps, type ReadSteps } from './ask-for-steps.ts';
import { checkPlan } from './check-work-tree.ts';
import { filesInText, partsAsRead, solutionOf, structurePlan } from './structure-plan.ts';

/** The given plan, in the session folder. */
export const givenPlanFile = 'critique/plan.md';

export const TakenPlan = z.object({
  synthesis: Synthesis,
  places: z.array(NamedPlace),
  unchecked: z.string().nullable(),
  structured_by: z.string(),
  structure_note: z.string().nullable(),
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
