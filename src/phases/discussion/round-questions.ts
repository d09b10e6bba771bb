// Builds the requests of a round to its agents.
import type { Agent } from '../../agents/agent.ts';
import type { CodebaseContext } from '../../model/context.ts';
import type { GivenPlan, NamedPlace } from '../../model/critique.ts';
import type { UserAnswer } from '../../model/decision.ts';
import { Examination, Proposal } from '../../model/proposal.ts';
import type { RunSettings } from '../../model/run-settings.ts';
import type { CheckedClaim, Remark, Synthesis } from '../../model/synthesis.ts';
import { critiquePrompt } from '../../prompts/critique-prompt.ts';
import {
  type ExamineRequest,
  examinePrompt,
  proposePrompt,
} from '../../prompts/discussion-prompt.ts';
import type { Excerpts } from '../../prompts/excerpts.ts';
import { sha256Of } from '../../store/digest.ts';
import { compareTexts, oneLine } from '../../model/wording.ts';
import type { Question } from '../asking/question.ts';
import { stancesText } from './labels.ts';
import { bestExcerpts, wordsFor, solutionExcerpts } from '../shown-code.ts';
import { examinationFaults, findWishes, recommendation } from './vote-faults.ts';
import { type Tools, promptInput } from '../phase-tools.ts';
import { steps } from '../../model/steps.ts';

export interface RoundInput {
  readonly number: number;
  readonly task: string;
  readonly context: CodebaseContext;
  /** The current settings; those that a round used are recorded. */
  readonly settings: RunSettings;
  /** The fewest rounds that are allowed after the user asked for more analysis. */
  readonly atLeastRounds: number;
  readonly previous: { readonly synthesis: Synthesis; readonly settings: RunSettings } | null;
  readonly feedback: readonly string[];
  readonly answers: readonly UserAnswer[];
  /** A plan from outside, with its places; null if agents propose. */
  readonly given: ExaminedPlan | null;
}

/** The text of an examined plan, and what the code says about the places that it names. */
interface ExaminedPlan extends GivenPlan {
  readonly places: readonly NamedPlace[];
}

/** A round whose seats are known. */
export interface SeatedRound extends RoundInput {
  readonly seats: readonly string[];
  readonly chain: readonly string[];
}

/** Builds the question of round 1, in which every agent proposes its own solutions without seeing the others. */
export function proposeQuestion(round: SeatedRound, tools: Tools): Question<Proposal> {
  const common = commonParts(round, tools, () => bestExcerpts(round.context, tools.repository));
  return {
    ...common.question,
    call: steps.round(round.number).propose,
    meaning: { task: round.task, round: round.number },
    schema: 'proposal',
    shape: Proposal,
    ...recommendation,
    summaryOf: ({ solutions }) => solutions.map(({ name }) => name).join('; '),
    promptFor: async (agent) => proposePrompt(await common.prompt(agent, 'proposal')),
  };
}

/**
 * Builds the question of later rounds, in which every agent derives again and takes a stance on the others’
 * solutions.
 */
export function examineQuestion(
  round: SeatedRound,
  previous: Synthesis,
  tools: Tools,
): Question<Examination> {
  const { feedback, answers } = round;
  const asked = { ...round, answers: [...answers, ...unansweredQuestions(previous, answers)] };
  const named = previous.solutions.map(({ affected_files, claims }) => ({
    affected_files,
    evidence: claims.filter(({ status }) => status !== 'failed'),
  }));
  const purpose = round.number > 2 ? 'judging-again' : 'judging';
  const common = commonParts(asked, tools, () =>
    solutionExcerpts(named, tools.repository, purpose),
  );
  const labels = new Map(previous.solutions.map(({ label, name }) => [label, name]));
  return {
    ...common.question,
    call: steps.round(round.number).examine,
    meaning: {
      task: round.task,
      round: round.number,
      feedback,
      answers,
      solutions: previous.solutions.map(({ id, name, label }) => ({ id, name, label })),
    },
    schema: 'examination',
    shape: Examination,
    wishesOf: (answer, agent) =>
      findWishes(answer, agent, { previous, repository: tools.repository }),
    ...examinationFaults(labels, (agent) =>
      previous.solutions
        .filter(({ source_cli: authors }) => authors.includes(agent))
        .map(({ label }) => label),
    ),
    summaryOf: (answer) => stancesText(answer, previous.solutions),
    async promptFor(agent) {
      const input = {
        ...(await common.prompt(agent, 'examination')),
        ...neutralView(previous, agent.name),
        disagreements: previous.cross_verification.disagreements,
        assumptions: previous.assumptions,
        hide: namesIn(previous, tools),
      };
      const { given } = round;
      return given === null ? examinePrompt(input) : critiquePrompt({ ...input, plan: given });
    },
  };
}

/** The questions that the user left open in any round, so that they do not delay the agents. */
function unansweredQuestions(
  { convergence, clarification_questions: last, agents_questions: earlier }: Synthesis,
  answers: readonly UserAnswer[],
): readonly UserAnswer[] {
  const asked =
    convergence.recommendation === 'user_input_needed' ? [...earlier, ...last] : earlier;
  const known = new Set(answers.map(({ question }) => question));
  return [...new Set(asked)]
    .filter((question) => !known.has(question))
    .map((question) => ({ question, answer: nobodyAnswered }));
}

const nobodyAnswered =
  '(Nobody answered. Assume what is most likely to be wanted, and state the assumption.)';

function commonParts(round: SeatedRound, tools: Tools, show: () => Promise<Excerpts>) {
  let excerpts: Promise<Excerpts> | null = null;
  const { number, task, context, feedback, answers } = round;
  const { constraints } = round.settings;
  return {
    question: {
      round: number,
      task,
      context,
      constraints,
      folderFor: (agent: string) => `rounds/${number}/agents/${agent}`,
      expected: { session: tools.folder.id, round: number },
    },
    async prompt(agent: Agent, schema: 'proposal' | 'examination') {
      excerpts ??= show();
      return {
        ...promptInput(tools, agent, { round: number, schema }),
        task,
        context,
        constraints,
        feedback,
        answers,
        excerpts: await excerpts,
        ...wordsFor(agent, context),
      };
    },
  };
}

/**
 * The solutions of a round as one agent sees them: all of them, its own by their label, in an order that
 * differs for each agent but is the same on every replay; each claim once, whichever agent made it.
 */
export function neutralView(
  { session_id: session, round, solutions, remarks }: Synthesis,
  agent: string,
): Pick<ExamineRequest, 'solutions' | 'own' | 'saidBefore' | 'failedClaims' | 'failedFiles'> {
  const order = (id: string) => sha256Of(JSON.stringify([session, round, agent, id]));
  const shuffled = solutions.toSorted((a, b) => compareTexts(order(a.id), order(b.id)));
  const failed = shuffled.flatMap(({ id, label, claims, stances }) => {
    const said = stances.filter((held) => held.agent === agent && held.round === round);
    const adopted = remarks.filter(({ kind, solution }) => kind === 'adopted' && solution === id);
    const cited = [...said, ...adopted].flatMap(({ evidence }) => evidence);
    return [...claims, ...cited.filter(isOwn)]
      .filter(({ status }) => status === 'failed')
      .map((claim) => ({ ...claim, label }));
  });
  // The agent’s own claims come first, so that a claim it shares with others is shown as its own.
  const [own, others] = [failed.filter(isOwn), failed.filter((claim) => !isOwn(claim))];
  const once = eachOnce([...own, ...others]);
  const live = remarks.filter(({ state }) => state !== 'withdrawn');
  const isOnlyOwn = ({ agents }: Remark) => agents.every((one) => one === agent);
  return {
    solutions: shuffled.map((solution) => ({
      ...solution,
      remarks: live.filter((one) => one.solution === solution.id && !isOnlyOwn(one)),
      claims: eachOnce(solution.claims.filter(({ status }) => status !== 'failed')),
    })),
    own: shuffled
      .filter(({ source_cli: authors }) => authors.includes(agent))
      .map(({ label, preferred_by: by, versions = [] }) => ({
        label,
        preferred: by?.includes(agent) === true,
        version: versions.find(({ source_cli }) => source_cli.includes(agent))?.name ?? null,
      })),
    saidBefore: shuffled.flatMap(({ id, label, stances, preferred_by: by }) => {
      const held = stances.find((one) => one.agent === agent);
      const said = live.filter((one) => one.solution === id && isOnlyOwn(one));
      if (held === undefined && said.length === 0) return [];
      const { stance } = held ?? { stance: 'unsure' as const };
      const preferred = by?.includes(agent) === true;
      const no_vote = stance === 'unsure' ? null : (held?.reason ?? null);
      return [{ label, stance, preferred, remarks: said, no_vote }];
    }),
    failedFiles: shuffled.flatMap(({ label, source_cli: authors, affected_files: files }) =>
      files
        .filter(({ status }) => status === 'failed')
        .map(({ file, note }) => ({ label, file, note, isOwn: authors.includes(agent) })),
    ),
    failedClaims: { own: once.filter(isOwn), others: once.filter((claim) => !isOwn(claim)) },
  };

  function isOwn(claim: CheckedClaim): boolean {
    return claim.agent === agent;
  }
}

/** Keeps one of several claims with the same quote at the same place. */
function eachOnce<T extends CheckedClaim>(claims: readonly T[]): T[] {
  const same = Map.groupBy(claims, ({ path, found_line, line, quote }) =>
    JSON.stringify([path, found_line ?? line, oneLine(quote)]),
  );
  return [...same.values()].flatMap(([first]) => first ?? []);
}

/** Names by which an agent could be recognised in the words of another one. */
function namesIn(previous: Synthesis, tools: Tools): readonly string[] {
  const taking = previous.receipts.flatMap(({ model, vendor }) => [model, vendor]);
  const models = tools.agents.models().map(({ name }) => name);
  return [...models, ...taking].filter((name) => name !== null);
}
