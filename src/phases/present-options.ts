// Offers the solutions as options, and says what is uncertain.
import { cleanText } from '../model/clean-text.ts';
import type { UserAnswer } from '../model/decision.ts';
import type { SessionEvent } from '../model/event.ts';
import {
  type AffectedFile,
  type Solution,
  type Synthesis,
  isDraft,
  referenceWords,
} from '../model/synthesis.ts';
import { clause, listed } from '../model/wording.ts';
import {
  differencesOf,
  faultyReferences,
  missingText,
  opinionsOn,
  supportersOf,
  versionTexts,
} from './opinions.ts';
import { saySame } from './topic-words.ts';

export type OptionsPresented = Extract<SessionEvent, { type: 'options.presented' }>;

/** The solutions of a round as options for the user, best first, numbered from 1. */
export function optionsOf({
  synthesis,
  uncertainty,
  answers,
  asked,
}: {
  readonly synthesis: Synthesis;
  readonly uncertainty: string | null;
  readonly answers: readonly UserAnswer[];
  /** The user’s last request for more analysis; null if there was none. */
  readonly asked: string | null;
}): OptionsPresented {
  const questions = openQuestionsOf(synthesis, answers);
  return {
    type: 'options.presented',
    uncertainty,
    questions: questions.map(cleanText),
    assumed: questions.map((question) => assumptionText(question, synthesis)),
    asked,
    replies: asked === null ? [] : [...replyTexts(synthesis)],
    options: synthesis.solutions.map((solution, index) => optionOf(solution, index + 1, synthesis)),
    agreements: synthesis.cross_verification.agreements.length,
    disagreements: synthesis.cross_verification.disagreements.length,
    missing: missingText(synthesis),
  };
}

/** The assumption that agents made instead of an answer; empty if none of them stated one. */
export function assumptionText(
  question: string,
  { assumptions }: Pick<Synthesis, 'assumptions'>,
): string {
  return assumptions
    .filter((held) => saySame(held.question, question))
    .map(({ agents, assumption }) => `${listed(agents)} assumed: ${clause(assumption)}`)
    .join('; ');
}

/** The replies of the last round’s agents to the user, one sentence each. */
export function replyTexts({ replies }: Pick<Synthesis, 'replies'>): readonly string[] {
  return replies.map(({ agent, text }) => `${agent}: ${clause(text)}`);
}

/** The additional round that the user may ask for. */
export interface AnotherRound {
  readonly number: number;
  /** The most rounds that are allowed so far. */
  readonly most: number;
  /** Tokens and cost of the last round; null if no agent reported them. */
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

export function anotherRound(
  { round, receipts }: Pick<Synthesis, 'round' | 'receipts'>,
  most: number,
): AnotherRound {
  const tokens = receipts.flatMap((one) => one.tokens ?? []);
  const costs = receipts.flatMap(({ cost_usd: cost }) => cost ?? []);
  return {
    number: round + 1,
    most,
    tokens:
      tokens.length === 0 ? null : tokens.reduce((sum, one) => sum + one.input + one.output, 0),
    costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}

/** Questions of agents that the user has not answered: each solution makes an assumption about them. */
export function openQuestionsOf(
  { agents_questions: asked }: Synthesis,
  answers: readonly UserAnswer[],
): readonly string[] {
  const answered = answers.filter(({ answer }) => answer.trim() !== '');
  return asked.filter((text) => !answered.some(({ question }) => question === text));
}

/**
 * Says in one line what is uncertain about the options: why the agents did not converge, or that a rule chose
 * between equally supported solutions; null if they agree on one.
 */
export function uncertaintyOf(synthesis: Synthesis): string | null {
  const { solutions, convergence } = synthesis;
  const { chosen_by_rule: tie, recommendation } = convergence;
  if (recommendation === 'converged') return tie?.why ?? null;
  if (solutions.length > 0 && solutions.every(isDraft)) return draftsOnly;
  const [alone = `No agreement: ${standText(synthesis)}.`] = witnesses(synthesis);
  return [alone, ...(tie === undefined ? [] : [tie.why])].join(' ');
}

/** Says who supports the first option, and what the others want: `2 of 3 support option 1, eve prefers option 2`. */
function standText(synthesis: Synthesis): string {
  const { solutions, receipts } = synthesis;
  const [first] = solutions;
  if (first === undefined) return 'there is no option';
  const voices = receipts.filter(({ failure }) => failure === null).map(({ agent }) => agent);
  const supporters = supportersOf(first, synthesis);
  const voters = supporters.voters.filter((name) => voices.includes(name));
  const others = voices.filter((name) => !voters.includes(name));
  const wants = Map.groupBy(others, (name) => {
    if (supporters.others.includes(name)) return 'supports it without a vote that counts';
    const at = solutions.findIndex(({ preferred_by: by = [] }) => by.includes(name));
    return at < 0 ? 'supports none of them' : `prefers option ${at + 1}`;
  });
  return [
    `${voters.length} of ${voices.length} support option 1`,
    ...[...wants].map(
      ([what, names]) =>
        `${listed(names)} ${names.length === 1 ? what : what.replace(/^(\w+)s\b/, '$1')}`,
    ),
  ].join(', ');
}

function optionOf(
  solution: Solution,
  number: number,
  synthesis: Synthesis,
): OptionsPresented['options'][number] {
  return {
    number,
    name: cleanText(solution.name),
    source_cli: solution.source_cli,
    feasibility: solution.feasibility,
    effort: solution.effort,
    risk: solution.risk,
    draft: isDraft(solution),
    summary: cleanText(solution.summary),
    pros: solution.pros.map(cleanText),
    cons: solution.cons.map(cleanText),
    affected: solution.affected_files.map(markedPlace),
    places: solution.affected_files.map(({ file, line, action, status }) => ({
      path: cleanText(file),
      line,
      action,
      status,
    })),
    stances: solution.stances.map(({ agent, stance, reasons }) => ({ agent, stance, reasons })),
    opinions: [...opinionsOn(solution, synthesis)],
    failed: [...faultyReferences(solution)],
    failed_references: failedReferences(solution),
    differences: [...differencesOf(solution, synthesis)],
    versions: [...versionTexts(solution)],
  };
}

function failedReferences({ claims, affected_files: files }: Solution) {
  return [
    ...claims
      .filter(({ status }) => status === 'failed')
      .map(({ path, line, agent, statement, note }) => ({
        path,
        line,
        agent,
        statement,
        reason: note,
      })),
    ...files
      .filter(({ status }) => status === 'failed')
      .map(({ file, line, note }) => ({
        path: cleanText(file),
        line,
        agent: null,
        statement: null,
        reason: note,
      })),
  ];
}

function markedPlace({ file, line, status }: AffectedFile): string {
  return `${cleanText(file)}${line === null ? '' : `:${line}`} ${referenceWords[status]}`;
}

/** Says who answered if the models of fewer than two vendors did, because then agreement means nothing. */
function witnesses({ convergence, receipts }: Synthesis): readonly string[] {
  const answered = receipts.filter(({ failure }) => failure === null);
  if (answered.length === 0) return ['No agent answered in the last round.'];
  const [vendor, second] = convergence.vendors;
  if (second !== undefined) return [];
  const only =
    vendor === undefined
      ? 'Only models of an unknown vendor answered, and an agreement needs two known ones'
      : `Only one vendor (${vendor}) answered, and an agreement needs a second one`;
  return [`${only}; so another round is held only if you ask for it.`];
}

const draftsOnly =
  'Only built-in analysts answered: no model has read the task, so nobody could agree or object.';
