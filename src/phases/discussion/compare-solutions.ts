// Has the solutions that round 1 recommends compared: same, variant or different.
import { z } from 'zod';
import { type ProposedSolution, ComparisonAnswer, type Relation } from '../../model/proposal.ts';
import { choiceFor, chosenFirst } from '../../model/phase-choice.ts';
import { steps } from '../../model/steps.ts';
import type { ComparedPair } from '../../model/synthesis.ts';
import { compareTexts, oneLine } from '../../model/wording.ts';
import { comparePrompt } from '../../prompts/compare-prompt.ts';
import { askSeat, findReadyModel, tellStandIn } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { type Tools, limitsWithin, promptInput, recordStep } from '../phase-tools.ts';
import type { SeatOutcome } from './ask-round.ts';
import { fewestVendors } from './converge.ts';
import { shortName } from './label-names.ts';
import type { SeatedRound } from './round-questions.ts';
import { neutralLabels } from './synthesize.ts';

interface Compare {
  readonly round: SeatedRound;
  readonly results: readonly SeatOutcome[];
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

/** The solution that an agent recommends. */
interface Recommended {
  readonly agent: string;
  readonly vendor: string | null;
  readonly label: string;
  readonly solution: ProposedSolution;
}

type Pair = readonly [Recommended, Recommended];

/** Somebody who is asked about some pairs, named by their labels. */
const Judge = z.object({
  agent: z.string(),
  pairs: z.array(z.tuple([z.string(), z.string()])),
});
type Judge = z.infer<typeof Judge>;

/** Of more solutions the pairs are too many for a cheap call, and letters run out. */
const mostCompared = 10;
/** Only summaries are read: an answer that takes longer is not worth waiting for. In ms. */
const longest = 120_000;

/** The pairs, and what is to be told of what was left out. */
export interface Comparison {
  readonly pairs: readonly ComparedPair[];
  readonly notes: readonly string[];
}

export const nothingCompared: Comparison = { pairs: [], notes: [] };

/**
 * Asks how the recommended solutions relate, each pair once; nobody is asked where fewer than two
 * vendors recommend something. A call that fails leaves its pairs unclear, so that they stay apart
 * and are examined.
 */
export async function compareSolutions(compare: Compare): Promise<Comparison> {
  const all = findRecommendedIn(compare);
  const vendors = new Set(all.flatMap(({ vendor }) => vendor ?? []));
  if (vendors.size < fewestVendors) return nothingCompared;
  const shown = all.slice(0, mostCompared);
  const notes =
    shown.length === all.length
      ? []
      : [
          `Only ${shown.length} of ${all.length} recommended solutions are compared; the others stay apart.`,
        ];
  for (const text of notes) compare.tools.emit({ type: 'warning.raised', text });
  const pairs = shown.flatMap((one, at) => shown.slice(at + 1).map((other): Pair => [one, other]));
  const judges = await chooseJudges(compare, all, pairs);
  tellOtherJudge(compare, all, judges);
  const said = await Promise.all(judges.map((judge) => askJudge(compare, judge, all)));
  return { pairs: pairs.map((pair) => judgePair(pair, judges, said)), notes };
}

function findRecommendedIn({ round, results, tools }: Compare): readonly Recommended[] {
  const found = results.flatMap(({ answer }) => {
    if (answer === null || answer.recommended === null) return [];
    const { agent, vendor } = answer.receipt;
    const known = vendor?.trim().toLowerCase() || null;
    return [{ agent, vendor: known, solution: answer.recommended }];
  });
  const ids = found.map(({ agent }) => agent);
  const labels = neutralLabels({ sessionId: tools.folder.id, round: round.number, ids });
  return found
    .map((one) => ({ ...one, label: laterLetter(labels.get(one.agent) ?? '') }))
    .toSorted((a, b) => compareTexts(a.label, b.label));
}

/** P for A: in a sentence that says what differs, “A” may be a word. */
function laterLetter(label: string): string {
  return String.fromCodePoint((label.codePointAt(0) ?? 0) + 15);
}

/** Recorded, as it depends on who is ready now. */
async function chooseJudges(
  compare: Compare,
  all: readonly Recommended[],
  pairs: readonly Pair[],
): Promise<readonly Judge[]> {
  const { round, tools, signal } = compare;
  const step = { tools, signal, step: steps.round(round.number).judges, shape: z.array(Judge) };
  return recordStep(step, async () => {
    const outsider = await findOutsider(compare, all);
    const asked = pairs.flatMap((pair) =>
      (outsider === null ? judgesAmong(pair, all) : [outsider]).map((agent) => ({ agent, pair })),
    );
    return [...Map.groupBy(asked, ({ agent }) => agent)].map(([agent, own]) => ({
      agent,
      pairs: own.map(({ pair: [first, second] }): [string, string] => [first.label, second.label]),
    }));
  });
}

/** Says why another agent compares than the one that the user chose. */
function tellOtherJudge(
  { tools }: Compare,
  all: readonly Recommended[],
  judges: readonly Judge[],
): void {
  const { agent: wanted } = choiceFor(tools.phases, 'compare');
  const isAuthor = all.some(({ agent }) => agent === wanted);
  if (judges.some(({ agent }) => agent === wanted)) return;
  const reason = isAuthor ? `${wanted} proposed one of the solutions` : undefined;
  tellStandIn(tools, { phase: 'compare', wanted, agent: judges[0]?.agent, reason });
}

/** A ready model of a vendor that wrote none of the solutions: one call is enough then. */
async function findOutsider(
  { round, results, tools, signal }: Compare,
  all: readonly Recommended[],
): Promise<string | null> {
  // A person may have skipped it: that holds for the round.
  const silent = results.flatMap(({ failed }) => failed.map(({ failure }) => failure.agent));
  const authors = new Set(all.flatMap(({ vendor }) => vendor ?? []));
  const names = chosenFirst(tools.phases, 'compare', [...round.seats, ...round.chain]);
  const outside = names.filter((name) => {
    const vendor = tools.agents.get(name)?.vendorOf(tools.modelFor(name))?.toLowerCase();
    const isAuthor = all.some(({ agent }) => agent === name);
    const isOut = tools.agents.loginOf(name).state === 'logged-out';
    const isAsked = !isAuthor && !isOut && !silent.includes(name);
    return vendor !== undefined && !authors.has(vendor) && isAsked;
  });
  return findReadyModel(outside, tools.agents, signal);
}

/** An author of another vendor than both, else both authors. */
function judgesAmong([first, second]: Pair, all: readonly Recommended[]): readonly string[] {
  const third = all.find(
    ({ vendor }) => vendor !== null && vendor !== first.vendor && vendor !== second.vendor,
  );
  return third === undefined ? [first.agent, second.agent] : [third.agent];
}

async function askJudge(
  { round, tools, signal }: Compare,
  judge: Judge,
  all: readonly Recommended[],
): Promise<ComparisonAnswer | null> {
  const { answer } = await askSeat({
    tools: { ...tools, limits: limitsWithin(tools.limits, longest) },
    question: compareQuestion(round, judge, { all, tools }),
    names: [judge.agent],
    signal,
  });
  return answer?.value ?? null;
}

function compareQuestion(
  { number, task }: SeatedRound,
  { pairs }: Judge,
  { all, tools }: { readonly all: readonly Recommended[]; readonly tools: Tools },
): Question<ComparisonAnswer> {
  const asked = new Set(pairs.flat());
  const solutions = all.filter(({ label }) => asked.has(label));
  const named = solutions.map(({ label, solution: { name } }) => ({ label, name }));
  const nameFor = (label: string) => {
    const one = solutions.find((known) => known.label === label);
    return one === undefined ? label : `${one.agent}’s ${shortName(one.solution.name)}`;
  };
  return {
    call: steps.round(number).compare,
    round: number,
    folderFor: (agent) => `rounds/${number}/compare/${agent}`,
    meaning: { task, round: number, solutions: named, pairs },
    task,
    context: null,
    constraints: [],
    schema: 'comparison-answer',
    shape: ComparisonAnswer,
    expected: { session: tools.folder.id, round: number },
    summaryOf: ({ pairs: judged }) =>
      judged
        .map(({ first, second, relation }) => {
          const both = [nameFor(first), nameFor(second)].toSorted(compareTexts);
          return `${both.join(' and ')}: ${relation}`;
        })
        .join('; '),
    promptFor: async (agent) =>
      comparePrompt({
        ...promptInput(tools, agent, { round: number, schema: 'comparison-answer' }),
        task,
        solutions,
        pairs,
      }),
  };
}

function judgePair(
  [first, second]: Pair,
  judges: readonly Judge[],
  said: readonly (ComparisonAnswer | null)[],
): ComparedPair {
  const labels = [first.label, second.label];
  const isPair = (one: readonly string[]) => labels.every((label) => one.includes(label));
  const votes = judges.flatMap(({ agent, pairs }, at) => {
    if (!pairs.some(isPair)) return [];
    const about = said[at]?.pairs.filter((one) => isPair([one.first, one.second])) ?? [];
    return [{ agent, about }];
  });
  const all = votes.flatMap(({ about }) => about);
  const isComplete = votes.every(({ about }) => about.length > 0);
  const [difference = ''] = all.map((one) => one.difference.trim()).filter((text) => text !== '');
  return {
    agents: [first.agent, second.agent],
    names: [first.solution.name, second.solution.name],
    relation: isComplete ? joinRelations(all.map(({ relation }) => relation)) : 'unclear',
    difference: [first, second].reduce(withName, difference),
    judges: votes.map(({ agent }) => agent).toSorted(compareTexts),
  };
}

/** Names in place of letters, which nobody but the judge has seen. */
function withName(text: string, { label, solution: { name } }: Recommended): string {
  const letter = new RegExp(`(?:\\b[Ss]olution )?\\b${label}\\b`, 'g');
  return oneLine(text).replaceAll(letter, () => `“${name}”`);
}

/** Anybody may hold them apart. */
function joinRelations(said: readonly Relation[]): ComparedPair['relation'] {
  if (said.length === 0) return 'unclear';
  return (['different', 'variant', 'same'] as const).find((one) => said.includes(one)) ?? 'unclear';
}
