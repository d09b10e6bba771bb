// Tells what examiners found in an existing plan.
import type { Critique } from '../../model/critique.ts';
import { type Block, type Line, facts, list } from '../../model/document.ts';
import type { EventOf } from '../../model/event.ts';
import { clip, oneLine, verdictWords } from '../../model/wording.ts';

/** A verdict in the form of its event or of its file. */
type Judged = Pick<EventOf<'plan.judged'>, keyof EventOf<'plan.judged'> & keyof Critique>;

const longest = 600;

/** The verdict with its reason. */
function verdictText({ verdict, reason }: Judged): string {
  return `${verdictWords[verdict]}: ${reason}`;
}

/** Tells the verdict, what speaks against the plan, who examined it, and how it was revised. */
export function critiqueBlocks(judged: Judged): readonly (Block | null)[] {
  const { revised, replies } = judged;
  return [
    facts([['Verdict', verdictText(judged)]]),
    list(objectionLines(judged)),
    facts([
      ...examinerTexts(judged).map((text) => ['Examined by', text] as const),
      ['Revised', revised],
    ]),
    list(
      revised === null
        ? []
        : replies.map(({ reply }) => marked('→', clip(oneLine(reply), longest))),
    ),
  ];
}

/** Everything against the plan, proven points first: wrong places, unchecked places, objections, wishes. */
function objectionLines({ places, unchecked, objections, changes }: Judged): readonly Line[] {
  const wrong = places.filter(({ status }) => status === 'wrong');
  return [
    ...wrong.map(({ text, plan_line: at, why }) =>
      marked('✗', `${text} (line ${at} of the plan): ${why}`),
    ),
    ...(unchecked === null ? [] : [marked('?', unchecked)]),
    ...objections.map((one) =>
      one.proven ? marked('✗', saidText(one)) : marked('?', `unproven, ${saidText(one)}`),
    ),
    ...changes.map((one) => marked('+', `change, ${saidText(one)}`)),
  ];
}

function marked(mark: keyof typeof tones, text: string): Line {
  return [{ badge: '', mark, tone: tones[mark] }, ` ${text}`];
}

const tones = { '✗': 'bad', '?': 'warn', '+': 'accent', '→': 'good' } as const;

function saidText({ text, by, places }: Judged['objections'][number]): string {
  const missing = places.filter((place) => !text.includes(place));
  const where = missing.length === 0 ? '' : ` (${missing.join(', ')})`;
  return `${by.join(', ')}: ${clip(oneLine(text), longest)}${where}`;
}

/** The agents that answered, with their stances, then those that did not, and why. */
function examinerTexts({ answered_by: answered, unanswered }: Judged): readonly string[] {
  return [
    ...answered.map(({ agent, vendor, stance }) => {
      const of = vendor === null ? '' : ` (${vendor})`;
      return `${agent}${of} ${stance === null ? 'gave no opinion' : stances[stance]}`;
    }),
    ...unanswered.map(
      ({ agent, reason }) => `${agent} did not answer: ${clip(oneLine(reason), 200)}`,
    ),
  ];
}

const stances = { support: 'supports it', oppose: 'opposes it', unsure: 'is unsure' } as const;
