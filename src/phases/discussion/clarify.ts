// Chooses the questions that go to the user.
import type { Clarification, UserAnswer } from '../../model/decision.ts';
import type { AgentQuestion } from '../../model/input-event.ts';
import type { Solution, Synthesis } from '../../model/synthesis.ts';
import { compareTexts, listed, oneLine } from '../../model/wording.ts';
import { mostCompared, saySame, topicWords, uniteTexts } from '../topic-words.ts';
import type { Candidate } from './candidate.ts';
import { reasonFor, type RoundAnswer } from './votes.ts';

/** The most questions at once: nobody answers more with care. */
export const mostQuestions = 4;

/**
 * The agents’ questions that the user was not asked before, in the order of the agents’ names.
 * Those about the same choice are one, which holds the words of each. What was asked before is not
 * asked again, answered or not.
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

/** The agents that asked a question, also where it was joined with others. */
export function askersOf(
  question: string,
  answers: readonly Pick<RoundAnswer, 'agent' | 'questions'>[],
): string[] {
  const said = oneLine(question);
  const isIn = (one: string) => said.includes(oneLine(one.replace(listedChoices, '')));
  return answers.filter(({ questions }) => questions.some(isIn)).map(({ agent }) => agent);
}

/** A question with what it is compared by, so that each is read once. */
interface ComparableQuestion {
  readonly text: string;
  readonly agent: string;
  /** Those that it lists, in one order; empty where it lists none, or only yes and no. */
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

/** An agent asks each of its own on purpose, so those stay apart. */
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

/** From this share on the words of the shorter question are those of the longer one. */
const leastShared = 0.6;
/** Of fewer words, two of any questions are the same by chance. */
const fewestWords = 3;

function isSameChoice(a: ComparableQuestion, b: ComparableQuestion): boolean {
  if (a.choices !== '' && a.choices === b.choices) return true;
  const [short, long] = a.words.size <= b.words.size ? [a.words, b.words] : [b.words, a.words];
  const shared = [...short].filter((word) => long.has(word)).length;
  return short.size >= fewestWords && shared >= leastShared * short.size;
}

/** Any two questions may be answered so. */
function isYesOrNo(choices: readonly string[]): boolean {
  return choices.every((choice) => Array.from(choice).length <= 4);
}

/** The other wordings stand before the choices, so that no question is lost. */
function joinQuestions([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  const [, stem = '', listing = ''] = /^([^]*?)(\s*\[[^[\]]+\]\s*)?$/.exec(first) ?? [];
  return `${stem} (Also asked: ${others.map(oneLine).join(' ')})${listing}`;
}

/** Asks about the solutions that are in dispute, each once in a session. */
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
 * True where a person has decided a dispute and has said nothing else: then no agent needs to hear
 * it, and the options follow.
 */
export function settlesDispute({ answers, feedback }: Clarification): boolean {
  return answers.length > 0 && answers.every(isChoice) && feedback.trim() === '';
}

function isChoice({ question, answer }: UserAnswer): boolean {
  return question.includes(fitQuestion) && fits.includes(answer);
}

/** A person needs this to answer a question. */
export interface QuestionBackground {
  /** The solutions that it names, else all: what each does, who is for and against it, and why. */
  readonly lines: readonly string[];
  /** Answers to choose from; none where only the person can know. */
  readonly choices: readonly string[];
  /** The agents that ask it; empty where it comes of their disagreement. */
  readonly askedBy?: readonly string[];
}

/** A few words for the heading of a question; empty for one that comes of a disagreement. */
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

/** With an empty line between them. */
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

/** An answer as it was meant: the number of a choice stands for it. */
export function resolveChoice(text: string, { choices }: QuestionBackground): string {
  const chosen = /^\d$/.test(text.trim()) ? choices[Number(text.trim()) - 1] : undefined;
  return chosen ?? text.trim();
}
