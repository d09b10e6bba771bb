// Chooses the questions that go to the user.
import type { Clarification, UserAnswer } from '../../model/decision.ts';
import type { AgentQuestion } from '../../model/input-event.ts';
import type { Solution, Synthesis } from '../../model/synthesis.ts';
import { compareTexts, listed, oneLine } from '../../model/wording.ts';
import { mostCompared, saySame, topicWords, uniteTexts } from '../topic-words.ts';
import type { Candidate } from './candidate.ts';
import { reasonFor, type RoundAnswer } from './votes.ts';

/** The most questions at once: people do not answer more with care. */
export const mostQuestions = 4;

/**
 * The agents’ questions that the user has not been asked yet, in the order of the agents’ names. Questions
 * about the same choice become one, which contains the words of each. A question is never asked twice, even if
 * it was not answered.
 */
export function openQuestions(
  answers: readonly Pick<RoundAnswer, 'agent' | 'questions'>[],
  asked: readonly string[],
): readonly string[] {
  const byAgent = answers.toSorted((a, b) => compareTexts(a.agent, b.agent));
  const fresh = uniteTexts(byAgent.map(({ questions }) => questions)).filter(
    (question) => !asked.some((known) => known.includes(question) || saySame(known, question)),
  );
  const askers = new Map<string, string>();
  for (const { agent, questions } of byAgent.toReversed())
    for (const question of questions) askers.set(question.trim(), agent);
  const seen = fresh.map((text) => comparable(text, askers.get(text) ?? ''));
  return groupQuestions(seen).map((group) => joinQuestions(group.map(({ text }) => text)));
}

/** The agents that asked a question, including those whose question was joined with it. */
export function askersOf(
  question: string,
  answers: readonly Pick<RoundAnswer, 'agent' | 'questions'>[],
): string[] {
  const said = oneLine(question);
  const isIn = (one: string) => said.includes(oneLine(one.replace(listedChoices, '')));
  return answers.filter(({ questions }) => questions.some(isIn)).map(({ agent }) => agent);
}

/** A question with what it is compared by, so that each question is parsed only once. */
interface ComparableQuestion {
  readonly text: string;
  readonly agent: string;
  /** The choices that it lists, sorted; empty if it lists none, or only yes and no. */
  readonly choices: string;
  readonly words: ReadonlySet<string>;
}

function comparable(text: string, agent: string): ComparableQuestion {
  const choices = choicesIn(text);
  return {
    text,
    agent,
    choices: isYesOrNo(choices) ? '' : choices.toSorted().join('|'),
    words: new Set(topicWords(text.replace(listedChoices, ''))),
  };
}

/** Groups questions about the same choice; those of one agent stay separate, because it asked each on purpose. */
function groupQuestions(
  questions: readonly ComparableQuestion[],
): readonly (readonly ComparableQuestion[])[] {
  const groups: [ComparableQuestion, ...ComparableQuestion[]][] = [];
  for (const question of questions) {
    const group = groups
      .slice(0, mostCompared)
      .find(
        (one) =>
          isSameChoice(one[0], question) && !one.some(({ agent }) => agent === question.agent),
      );
    if (group === undefined) groups.push([question]);
    else group.push(question);
  }
  return groups;
}

/** The share of the shorter question’s words that the longer one needs to be about the same choice. */
const leastShared = 0.6;
/** The fewest words that are compared; two shorter questions could match by chance. */
const fewestWords = 3;

function isSameChoice(a: ComparableQuestion, b: ComparableQuestion): boolean {
  if (a.choices !== '' && a.choices === b.choices) return true;
  const [short, long] = a.words.size <= b.words.size ? [a.words, b.words] : [b.words, a.words];
  const shared = [...short].filter((word) => long.has(word)).length;
  return short.size >= fewestWords && shared >= leastShared * short.size;
}

/** True for answers such as yes and no, which fit any two questions. */
function isYesOrNo(choices: readonly string[]): boolean {
  return choices.every((choice) => Array.from(choice).length <= 4);
}

/** Puts the other wordings before the choices, so that no question is lost. */
function joinQuestions([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  const [, stem = '', listing = ''] = /^([^]*?)(\s*\[[^[\]]+\]\s*)?$/.exec(first) ?? [];
  return `${stem} (Also asked: ${others.map(oneLine).join(' ')})${listing}`;
}

/** Asks about the disputed solutions, each once in a session. */
export function disputeQuestions(
  disputed: readonly Candidate[],
  asked: readonly { readonly question: string }[],
): readonly string[] {
  return disputed
    .map(({ name, stances }) => {
      const against = reasonFor('oppose', stances);
      const objection = against === null ? '' : ` One objection: ${against}`;
      return { head: `The agents disagree about “${name}”. ${fitQuestion}`, objection };
    })
    .filter(({ head }) => !asked.some(({ question }) => question.startsWith(head)))
    .map(({ head, objection }) => `${head}${objection}`);
}

const fitQuestion = 'Does it fit what you want?';
const fits = ['Yes', 'No'];

/**
 * True if a person has decided a dispute and has said nothing else: no agent needs to hear it then, and the
 * options follow.
 */
export function settlesDispute({ answers, feedback }: Clarification): boolean {
  return answers.length > 0 && answers.every(isChoice) && feedback.trim() === '';
}

function isChoice({ question, answer }: UserAnswer): boolean {
  return question.includes(fitQuestion) && fits.includes(answer);
}

/** The information that a person needs to answer a question. */
export interface QuestionBackground {
  /** The solutions that the question names, or all: what each does, who is for and against it, and why. */
  readonly lines: readonly string[];
  /** Answers to choose from; empty if only the person can know. */
  readonly choices: readonly string[];
  /** The agents that ask it; empty if it follows from their disagreement. */
  readonly askedBy?: readonly string[];
}

/** A few words for the heading of a question; empty for one that follows from a disagreement. */
export function askersText({ askedBy = [] }: QuestionBackground): string {
  return askedBy.length === 0 ? '' : ` by ${listed(askedBy)}`;
}

export function questionBackground(
  question: string,
  { solutions, asked_by: asked = [] }: Pick<Synthesis, 'solutions' | 'asked_by'>,
): QuestionBackground {
  const named = solutions.filter(({ name }) => question.includes(`“${name}”`));
  const choices = question.includes(fitQuestion) ? fits : choicesIn(question);
  const lines = apart((named.length > 0 ? named : solutions).map(backgroundOf));
  const askedBy = asked.find((one) => one.question === question)?.agents ?? [];
  return { lines, choices, ...(askedBy.length === 0 ? {} : { askedBy }) };
}

/** The questions as programs see them, numbered from 1. */
export function agentQuestions(
  questions: readonly string[],
  backgrounds: readonly QuestionBackground[],
): AgentQuestion[] {
  return questions.map((text, at) => {
    const { askedBy = [], choices = [] } = backgrounds[at] ?? {};
    return { id: String(at + 1), text, agents: [...askedBy], choices: [...choices] };
  });
}

/** Puts an empty line between blocks. */
function apart(blocks: readonly (readonly string[])[]): readonly string[] {
  return blocks.flatMap((block, at) => (at === 0 ? block : ['', ...block]));
}

/** An agent may end its question with the likely answers: `Which form? [pretty | compact]`. */
const listedChoices = /\[([^[\]]+)\]\s*$/;

function choicesIn(question: string): readonly string[] {
  const [, listing = ''] = listedChoices.exec(question) ?? [];
  const choices = listing.split('|').map((choice) => choice.trim());
  return choices.length > 1 ? choices.filter((choice) => choice !== '').slice(0, 6) : [];
}

function backgroundOf({ name, summary, source_cli, stances }: Solution): readonly string[] {
  const silent = source_cli.filter((agent) => !stances.some((one) => one.agent === agent));
  return [
    `${name}: ${oneLine(summary)}`,
    ...(silent.length === 0 ? [] : [`${listed(silent)} proposed it`]),
    ...stances.map(({ agent, stance, reasons }) => {
      const [why] = reasons;
      const says = { support: 'supports it', oppose: 'opposes it', unsure: 'is unsure' }[stance];
      return `${agent} ${says}${why === undefined ? '' : `: ${oneLine(why)}`}`;
    }),
  ];
}

/** Resolves an answer that is the number of a choice to that choice. */
export function resolveChoice(text: string, { choices }: QuestionBackground): string {
  const chosen = /^\d$/.test(text.trim()) ? choices[Number(text.trim()) - 1] : undefined;
  return chosen ?? text.trim();
}
