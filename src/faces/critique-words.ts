// Says what examiners found in an existing plan, in lines for every user interface.
import type { Critique } from '../model/critique.ts';
import type { EventOf, Forecast } from '../model/event.ts';
import { listed, oneLine, verdictWords } from '../model/wording.ts';
import { priceText, shorten } from './short-forms.ts';

/** A verdict in the form of its event or of its file. */
type Judged = Pick<EventOf<'plan.judged'>, keyof EventOf<'plan.judged'> & keyof Critique>;

/** Writes the whole verdict as lines, each with its subject. */
export function verdictLines(judged: Judged): readonly (readonly [label: string, text: string])[] {
  return [
    ['verdict', verdictText(judged)],
    ...objectionTexts(judged).map((text) => ['', text] as const),
    ...examinerTexts(judged).map((text) => ['examined by', text] as const),
    ...revisionTexts(judged).map((text) => ['revised', text] as const),
  ];
}

/** Everything that was said about the plan, except the verdict itself. */
export function critiqueTexts(judged: Judged): readonly string[] {
  return [...objectionTexts(judged), ...examinerTexts(judged), ...revisionTexts(judged)];
}

const longest = 600;

/** The verdict with its reason. */
export function verdictText({ verdict, reason }: Judged): string {
  return `${verdictWords[verdict]}: ${reason}`;
}

/** Everything against the plan, proven points first: wrong places, unchecked places, objections, wishes. */
export function objectionTexts({
  places,
  unchecked,
  objections,
  changes,
}: Judged): readonly string[] {
  const wrong = places.filter(({ status }) => status === 'wrong');
  return [
    ...wrong.map(({ text, plan_line: at, why }) => `✗ ${text} (line ${at} of the plan): ${why}`),
    ...(unchecked === null ? [] : [`? ${unchecked}`]),
    ...objections.map((one) => `${one.proven ? '✗' : '? unproven,'} ${saidText(one)}`),
    ...changes.map((one) => `+ change, ${saidText(one)}`),
  ];
}

function saidText({ text, by, places }: Judged['objections'][number]): string {
  const missing = places.filter((place) => !text.includes(place));
  const where = missing.length === 0 ? '' : ` (${missing.join(', ')})`;
  return `${by.join(', ')}: ${shorten(oneLine(text), longest)}${where}`;
}

/** Shows the revised plan, with the answer to each objection; empty if it was not revised. */
function revisionTexts({ revised, replies }: Judged): readonly string[] {
  if (revised === null) return [];
  return [revised, ...replies.map(({ reply }) => `→ ${shorten(oneLine(reply), longest)}`)];
}

/** Says in a sentence which agents would examine a plan, and what that usually costs. */
export function usualText({
  examiners,
  used,
}: {
  readonly examiners: readonly string[];
  readonly used: Forecast | null;
}): string {
  if (examiners.length === 0) return 'No agent of another vendor is there to examine it.';
  const past =
    used === null
      ? 'what it costs is unknown, as no critique has run here yet'
      : `earlier critiques here used about ${priceText(used)} each`;
  return `It asks ${listed(examiners)} once; ${past}.`;
}

/** Lists the agents that answered, with their stances, then those that did not, and why. */
export function examinerTexts({ answered_by: answered, unanswered }: Judged): readonly string[] {
  return [
    ...answered.map(({ agent, vendor, stance }) => {
      const of = vendor === null ? '' : ` (${vendor})`;
      return `${agent}${of} ${stance === null ? 'gave no opinion' : stanceWords[stance]}`;
    }),
    ...unanswered.map(({ agent, reason }) => `${agent} did not answer: ${shorten(reason, 200)}`),
  ];
}

const stanceWords = { support: 'supports it', oppose: 'opposes it', unsure: 'is unsure' } as const;
