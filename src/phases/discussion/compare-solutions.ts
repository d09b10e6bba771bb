// Has the solutions that round 1 recommends compared: same, variant or different.
import { z } from 'zod';
import { type ProposedSolution, ComparisonAnswer } from '../../model/proposal.ts';
import { choiceFor, chosenFirst } from '../../model/phase-choice.ts';
import { steps } from '../../model/steps.ts';
import type { ComparedPair } from '../../model/synthesis.ts';
import { compareTexts, oneLine } from '../../model/wording.ts';
import { comparePrompt } from '../../prompts/discussion-prompt.ts';
import { askSeat, findReadyModel, tellStandIn } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { type Tools, limitsWithin, promptInput, recordStep } from '../phase-tools.ts';
import type { SeatOutcome } from './ask-round.ts';
import { fewestVendors } from './converge.ts';
import { namer, neutralLabels, shortName } from './labels.ts';
import type { SeatedRound } from './round-questions.ts';

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

/** The most solutions that are compared: more would make too many pairs for a cheap call. */
const mostCompared = 10;
/** The longest wait in ms: only summaries are read, so an answer that takes longer is not worth it. */
const longest = 120_000;

/** The pairs, and notes about the solutions that were left out. */
export interface Comparison {
  readonly pairs: readonly ComparedPair[];
  readonly notes: readonly string[];
}

export const nothingCompared: Comparison = { pairs: [], notes: [] };

/**
 * Asks how the recommended solutions relate, each pair once; no agent is asked if fewer than two vendors
 * recommend something. A failed call leaves its pairs unclear, so that they stay separate and are examined.
 */
export async function compareSolutions(compare: Compare): Promise<Comparison> {
  const all = findRecommendedIn(compare);
  const vendors = new Set(all.flatMap(({ vendor }) => vendor ?? []));
  if (vendors.size < fewestVendors) return nothingCompared;
  const shown = all.slice(0, mostCompared);
  const pairs = shown.flatMap((one, at) => shown.slice(at + 1).map((other): Pair => [one, other]));
  const judges = await chooseJudges(compare, all);
  tellOtherJudge(compare, all, judges);
  const question = compareQuestion(compare, shown, pairs);
  const said = await Promise.all(
    judges.map(async (judge): Promise<Judgement> => {
      const { tools, signal } = compare;
      const limits = limitsWithin(tools.limits, longest);
      const ask = { tools: { ...tools, limits }, question, names: [judge], signal };
      return { judge, answer: (await askSeat(ask)).answer?.value ?? null };
    }),
  );
  const some = `Only ${shown.length} of ${all.length} recommended solutions are compared; the others stay apart.`;
  const none = 'Nobody compared the solutions, so each of them is examined on its own.';
  const isAnswered = said.some(({ answer }) => answer !== null);
  const notes = isAnswered ? (shown.length === all.length ? [] : [some]) : [none];
  for (const text of notes) compare.tools.emit({ type: 'warning.raised', text });
  return { pairs: pairs.map((pair) => judgePair(pair, said)), notes };
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
    .map((one) => ({ ...one, label: labels.get(one.agent) ?? '' }))
    .toSorted((a, b) => compareTexts(a.label, b.label));
}

/**
 * Chooses a model that wrote none of the solutions, otherwise two authors of different vendors. Recorded,
 * because it depends on who is ready now.
 */
async function chooseJudges(
  compare: Compare,
  all: readonly Recommended[],
): Promise<readonly string[]> {
  const { round, tools, signal } = compare;
  const step = {
    tools,
    signal,
    step: steps.round(round.number).judges,
    shape: z.array(z.string()),
  };
  return recordStep(step, async () => {
    const outsider = await findOutsider(compare, all);
    if (outsider !== null) return [outsider];
    const known = all.filter(({ vendor }) => vendor !== null);
    const [first] = known;
    const second = known.find(({ vendor }) => vendor !== first?.vendor);
    return [first, second].flatMap((one) => one?.agent ?? []).toSorted(compareTexts);
  });
}

/** Explains why another agent compares than the one that the user chose. */
function tellOtherJudge(
  { tools }: Compare,
  all: readonly Recommended[],
  judges: readonly string[],
): void {
  const { agent: wanted } = choiceFor(tools.phases, 'compare');
  const isAuthor = all.some(({ agent }) => agent === wanted);
  if (wanted === null || judges.includes(wanted)) return;
  const reason = isAuthor ? `${wanted} proposed one of the solutions` : undefined;
  tellStandIn(tools, { phase: 'compare', wanted, agent: judges[0], reason });
}

/** A ready model of a vendor that wrote none of the solutions, whose single call is enough. */
async function findOutsider(
  { round, results, tools, signal }: Compare,
  all: readonly Recommended[],
): Promise<string | null> {
  // A person may have skipped the agent, which holds for the whole round.
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

function compareQuestion(
  { round: { number, task }, tools }: Compare,
  solutions: readonly Recommended[],
  all: readonly Pair[],
): Question<ComparisonAnswer> {
  const named = solutions.map(({ label, solution: { name } }) => ({ label, name }));
  const pairs = all.map(([a, b]): [string, string] => [a.label, b.label]);
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

interface Judgement {
  readonly judge: string;
  /** Null if the agent did not answer. */
  readonly answer: ComparisonAnswer | null;
}

/** Joins the judgements on a pair: one of them is enough to keep it apart, only all together make it the same. */
function judgePair(pair: Pair, said: readonly Judgement[]): ComparedPair {
  const [first, second] = pair;
  const labels = pair.map(({ label }) => label);
  const about = said.map(({ answer }) =>
    answer?.pairs.find((one) => labels.includes(one.first) && labels.includes(one.second)),
  );
  const apart = (['different', 'variant'] as const)
    .map((relation) => about.find((one) => one?.relation === relation))
    .find((one) => one !== undefined);
  const isSame = about.length > 0 && about.every((one) => one?.relation === 'same');
  const inNames = namer(pair.map(({ label, solution: { name } }) => ({ label, name })));
  return {
    agents: [first.agent, second.agent],
    names: [first.solution.name, second.solution.name],
    relation: apart?.relation ?? (isSame ? 'same' : 'unclear'),
    difference: oneLine(inNames(apart?.difference ?? '')),
    judges: said.map(({ judge }) => judge),
  };
}
