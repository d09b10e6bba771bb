// Turns what the examiners said of an existing plan into a verdict, and writes `critique.json`.
import { partsOfName } from '../../context/cited-places.ts';
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
import { notFoundText } from './judge-places.ts';
import { type TakenPlan, givenPlanFile } from './take-plan.ts';

export const critiqueFile = 'critique.json';

interface Examined {
  readonly given: GivenPlan;
  readonly taken: TakenPlan;
  readonly synthesis: Synthesis;
}

/**
 * Makes the verdict: only a wrong place, or an objection whose evidence was found, sends a plan back. Something
 * that does not exist cannot be quoted, so for a wrong place the search is the evidence.
 */
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

/** Reports the verdict with the reasons for it. */
export function announceCritique(
  critique: Critique,
  { emit, folder }: Pick<Tools, 'emit' | 'folder'>,
): void {
  const { verdict, reason, places, unchecked, objections, changes, revised } = critique;
  emit({
    type: 'plan.judged',
    verdict,
    reason,
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
  const { places, unchecked } = taken;
  const solution = synthesis.solutions.find(({ id }) => id === taken.synthesis.solutions[0]?.id);
  const said = synthesis.remarks.filter(
    ({ solution: id, state }) => id === solution?.id && state === 'open',
  );
  const wrong = places.filter(({ status }) => status === 'wrong');
  const objections = said
    .filter(({ kind }) => kind === 'objection')
    .map((remark) => objectionOf(remark, wrong));
  const stances = solution?.stances ?? [];
  const facts = { places, objections: provenFirst(objections), stances };
  return {
    session_id: session,
    ...verdictOn(facts),
    plan: givenPlanFile,
    host_vendor: given.host_vendor,
    places,
    unchecked,
    objections: facts.objections,
    changes: provenFirst(
      said.filter(({ kind }) => kind === 'change').map((remark) => objectionOf(remark, wrong)),
    ),
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

function objectionOf(
  { id, text, agents: by, evidence }: Remark,
  wrong: readonly NamedPlace[],
): PlanObjection {
  const found = evidence.filter(isFound);
  const quoted = found.map(({ path, line, found_line: at }) => `${path}:${at ?? line}`);
  const missing = quoted.length > 0 ? [] : wrong.filter((place) => names(text, place));
  const places = [...quoted, ...missing.map((place) => `${place.text}: ${place.why}`)];
  return { id, text, by, proven: places.length > 0, places: [...new Set(places)], evidence };
}

/** True if a text names a place in the words of the plan. */
function names(text: string, { path, kind, text: written }: NamedPlace): boolean {
  const word = kind === 'name' ? (partsOfName(written).at(-1) ?? written) : (path ?? written);
  const escaped = word.replace(/[^\w/]/g, '\\$&');
  return new RegExp(String.raw`(?<![\w/-])${escaped}(?![\w/-])`).test(text);
}

function provenFirst(all: readonly PlanObjection[]): PlanObjection[] {
  return all.toSorted((a, b) => Number(b.proven) - Number(a.proven));
}

interface Judged {
  readonly places: readonly NamedPlace[];
  readonly objections: readonly PlanObjection[];
  readonly stances: Solution['stances'];
}

function verdictOn(judged: Judged): { readonly verdict: Verdict; readonly reason: string } {
  const { verdict, reason } = reasonedVerdict(judged);
  const rest = notFoundText(judged.places);
  return { verdict, reason: rest === null ? reason : `${reason} ${rest}` };
}

function reasonedVerdict({ places, objections, stances }: Judged) {
  const wrong = places.filter(({ status }) => status === 'wrong').length;
  const proven = objections.filter((one) => one.proven);
  const quoted = proven.filter(({ evidence }) => evidence.some(isFound)).length;
  if (wrong + proven.length > 0) {
    const searched = proven.length - quoted;
    const why = [
      ...(wrong === 0 ? [] : [counted(wrong, 'wrong place')]),
      ...(quoted === 0 ? [] : [`${counted(quoted, 'objection')} whose evidence was found`]),
      ...(searched === 0
        ? []
        : [`${counted(searched, 'objection')} that a search of the code bears out`]),
    ];
    return { verdict: 'revise', reason: `${listed(why)}.` } as const;
  }
  const against = stances.filter(({ stance }) => stance === 'oppose').map(({ agent }) => agent);
  const supporting = stances.filter(({ stance }) => stance === 'support').map(({ agent }) => agent);
  if (against.length > 0) {
    const does = against.length === 1 ? 'objects, but cites' : 'object, but cite';
    const reason = `${listed(against)} ${does} no code that proves it.`;
    return { verdict: 'unsure', reason } as const;
  }
  return supporting.length > 0
    ? ({ verdict: 'sound', reason: `${listed(supporting)} found nothing against it.` } as const)
    : ({ verdict: 'unsure', reason: 'No examiner could tell.' } as const);
}
