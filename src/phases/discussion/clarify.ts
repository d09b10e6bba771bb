import { type RoundAnswer, saysSomething } from './support.ts';
import { compareTexts } from '../../model/wording.ts';
import type { Draft } from './draft.ts';
import { saySame, unitedTexts } from '../topic-words.ts';

/** More than four questions at once nobody answers with care. */
const mostQuestions = 4;

/**
 * The agents’ questions that the user was not asked before, each once; the agents take turns, in
 * order of their names, so that no one fills the list. What was asked before is not asked again,
 * answered or not.
 */
export function openQuestions(
  answers: readonly Pick<RoundAnswer, 'agent' | 'questions'>[],
  asked: readonly string[],
): readonly string[] {
  const byAgent = answers.toSorted((a, b) => compareTexts(a.agent, b.agent));
  const longest = Math.max(0, ...byAgent.map(({ questions }) => questions.length));
  const turns = Array.from({ length: longest }, (_, turn) =>
    byAgent.flatMap(({ questions }) => questions[turn] ?? []),
  );
  return unitedTexts(turns).filter((question) => !asked.some((known) => saySame(known, question)));
}

/** At most four questions: the agents’ own first, then what the top disputes leave to the user. */
export function clarificationQuestions({
  open,
  disputed,
  rivals,
}: {
  readonly open: readonly string[];
  readonly disputed: readonly Draft[];
  /** The leading solutions where no two vendors share one; else empty. */
  readonly rivals: readonly Draft[];
}): string[] {
  const [first, second] = rivals;
  const choice =
    first === undefined || second === undefined
      ? []
      : [`Which better fits what you want: “${first.name}” or “${second.name}”?`];
  return [...open, ...disputed.map(disputeQuestion), ...choice].slice(0, mostQuestions);
}

function disputeQuestion(draft: Draft): string {
  const against = draft.stances
    .filter(({ stance }) => stance === 'oppose')
    .flatMap(({ reasons }) => reasons)
    .find(saysSomething);
  const objection = against === undefined ? '' : ` One objection: ${against.trim()}`;
  return `The agents disagree about “${draft.name}”. Does it fit what you want?${objection}`;
}
