// Makes the verdict on a plan that existed already of what its examiners said, and writes `critique.json`.
import {
  Critique,
  type GivenPlan,
  type NamedPlace,
  type PlanObjection,
  type Verdict,
} from '../../model/critique.ts';
import { isFound } from '../../model/found-evidence.ts';
import { steps } from '../../model/steps.ts';
import type { Remark, Solution, Synthesis } from '../../model/synthesis.ts';
import { counted, listed } from '../../model/wording.ts';
import { type Tools, recordStep } from '../phase-tools.ts';
import { type TakenPlan, givenPlanFile } from './take-plan.ts';

export const critiqueFile = 'critique.json';

interface Examined {
  readonly given: GivenPlan;
  readonly taken: TakenPlan;
  readonly synthesis: Synthesis;
}

/** Only a wrong place, or an objection whose evidence was found, sends a plan back. */
export async function judgePlan(
  examined: Examined,
  tools: Tools,
  signal: AbortSignal,
): Promise<Critique> {
  const step = { tools, signal, step: steps.critique.verdict, shape: Critique };
  return await recordStep(step, async () => {
    const found = critiqueOf(examined, tools.folder.id);
    await tools.folder.writeJson(critiqueFile, found);
    return found;
  });
}

/** Tells the verdict with what led to it. */
export function announceCritique(
  critique: Critique,
  { emit, folder }: Pick<Tools, 'emit' | 'folder'>,
): void {
  const { verdict, reason, places, unchecked, objections, changes, revised } = critique;
  const { structured_by, structure_note } = critique;
  emit({
    type: 'plan.judged',
    verdict,
    reason,
    structured_by,
    structure_note,
    places: places.filter(({ status }) => status !== 'there'),
    places_there: places.filter(({ status }) => status === 'there').length,
    unchecked,
    objections: objections.map(briefly),
    changes: changes.map(briefly),
    answered_by: [...critique.answered_by],
    unanswered: [...critique.unanswered],
    replies: critique.replies,
    revised: revised === null ? null : `${folder.relative}/${revised}`,
    critique: `${folder.relative}/${critiqueFile}`,
  });
}

function briefly({ text, by, proven, places }: PlanObjection) {
  return { text, by: [...by], proven, places: [...places] };
}

function critiqueOf({ given, taken, synthesis }: Examined, session: string): Critique {
  const { places, unchecked, structured_by, structure_note } = taken;
  const solution = synthesis.solutions.find(({ id }) => id === taken.synthesis.solutions[0]?.id);
  const said = synthesis.remarks.filter(
    ({ solution: id, state }) => id === solution?.id && state === 'open',
  );
  const objections = said.filter(({ kind }) => kind === 'objection').map(objectionOf);
  const stances = solution?.stances ?? [];
  const facts = { places, objections: provenFirst(objections), stances };
  return {
    session_id: session,
    ...verdictOn(facts),
    plan: givenPlanFile,
    host_vendor: given.host_vendor,
    structured_by,
    structure_note,
    places,
    unchecked,
    objections: facts.objections,
    changes: provenFirst(said.filter(({ kind }) => kind === 'change').map(objectionOf)),
    questions: synthesis.agents_questions,
    answered_by: synthesis.receipts.map(({ agent, vendor }) => ({
      agent,
      vendor,
      stance: stances.find((held) => held.agent === agent)?.stance ?? null,
    })),
    unanswered: synthesis.unanswered.map(({ agent, reason }) => ({ agent, reason })),
    revised: null,
    revised_by: null,
    replies: [],
  };
}

function objectionOf({ id, text, agents: by, evidence }: Remark): PlanObjection {
  const found = evidence.filter(isFound);
  const places = found.map(({ path, line, found_line: at }) => `${path}:${at ?? line}`);
  return { id, text, by, proven: found.length > 0, places: [...new Set(places)], evidence };
}

function provenFirst(all: readonly PlanObjection[]): PlanObjection[] {
  return all.toSorted((a, b) => Number(b.proven) - Number(a.proven));
}

function verdictOn({
  places,
  objections,
  stances,
}: {
  readonly places: readonly NamedPlace[];
  readonly objections: readonly PlanObjection[];
  readonly stances: Solution['stances'];
}): { readonly verdict: Verdict; readonly reason: string } {
  const wrong = places.filter(({ status }) => status === 'wrong').length;
  const proven = objections.filter((one) => one.proven).length;
  if (wrong + proven > 0) {
    const why = [
      ...(wrong === 0 ? [] : [counted(wrong, 'wrong place')]),
      ...(proven === 0 ? [] : [`${counted(proven, 'objection')} whose evidence was found`]),
    ];
    return { verdict: 'revise', reason: `${listed(why)}.` };
  }
  const against = stances.filter(({ stance }) => stance === 'oppose').map(({ agent }) => agent);
  const supporting = stances.filter(({ stance }) => stance === 'support').map(({ agent }) => agent);
  if (against.length > 0) {
    const does = against.length === 1 ? 'objects, but cites' : 'object, but cite';
    return {
      verdict: 'unsure',
      reason: `${listed(against)} ${does} no code that proves it.`,
    };
  }
  return supporting.length > 0
    ? { verdict: 'sound', reason: `${listed(supporting)} found nothing against it.` }
    : { verdict: 'unsure', reason: 'No examiner could tell.' };
}
