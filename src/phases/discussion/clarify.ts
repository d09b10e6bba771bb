// Chooses the questions that go to the user.
import type { Clarification, UserAnswer } from '../../model/decision.ts';
import type { AgentQuestion } from '../../model/input-event.ts';
import type { Solution, Synthesis } from '../../model/synthesis.ts';
import { compareTexts, listed, oneLine } from '../../model/wording.ts';
import { saySame } from '../topic-words.ts';
import type { Candidate } from './candidate.ts';
import { reasonFor } from './reasons.ts';
import type { RoundAnswer } from './votes.ts';

/** The most questions at once: people do not answer more with care. */
export const mostQuestions = 4;

/** The most questions of one agent that are looked at in a round: few of them can be asked. */
const mostHeard = 20;

/**
 * The agents’ questions that the user has not been asked yet, in the order of the agents’ names. Questions of
 * several agents that list the same choices become one, which contains the words of each. A question is never
 * asked twice, even if it was not answered.
 */
export function openQuestions(
  answers: readonly Pick<RoundAnswer, 'agent' | 'questions'>[],
  asked: readonly string[],
): readonly string[] {
  const known = [...asked];
  const groups = new Map<string, string[]>();
  for (const { questions } of answers.toSorted((a, b) => compareTexts(a.agent, b.agent))) {
    const own = new Set<string>();
    for (const text of questions.slice(0, mostHeard).map((one) => one.trim())) {
      if (text === '' || known.some((one) => one.includes(text) || saySame(one, text))) continue;
      known.push(text);
      const choices = choicesIn(text);
      const choice = isYesOrNo(choices) ? text : choices.toSorted().join('|');
      // An agent asked each of its questions on purpose.
      const key = own.has(choice) ? text : choice;
      own.add(key);
      groups.set(key, [...(groups.get(key) ?? []), text]);
    }
  }
  return [...groups.values()].map(joinQuestions);
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
  return { lines, choices, ...(askedBy.length !== 0 && { askedBy }) };
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
