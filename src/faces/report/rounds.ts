import type { HeldStance, Solution, Synthesis } from '../../model/synthesis.ts';
import { sentence } from '../../model/wording.ts';
import { agreementText } from '../short-forms.ts';
import { type Markup, type Part, badge, bulletList, inlineCode, markup, table } from './markup.ts';

/** Who stood where in a round, and why. */
export function roundText(round: Synthesis): Markup {
  const { convergence, cross_verification: cross, unanswered, notes } = round;
  const silent = unanswered.map(({ agent, reason }) => `${agent}: ${reason}`);
  const result = `${agreementText(convergence.recommendation)}, score ${convergence.score.toFixed(2)}`;
  const reasons = round.solutions.flatMap(({ name, stances }) =>
    stances.flatMap(({ agent, stance, reasons: why }) =>
      why.length === 0 ? [] : `${agent} ${verbs[stance]} “${name}”: ${why.map(sentence).join(' ')}`,
    ),
  );
  return markup`<article><h3>Round ${round.round}: ${result}</h3>
${matrix(round)}${under('Reasons', reasons)}${under('Agreement', cross.agreements)}${under('Disagreement', cross.disagreements)}${under('How the score came about', convergence.reasons)}${under('Did not answer', silent)}${under('Notes', notes)}</article>\n`;
}

/** Rows are solutions, columns agents. */
function matrix({ solutions, receipts }: Synthesis): Part {
  const agents = new Set([
    ...solutions.flatMap(({ source_cli: authors }) => authors),
    ...solutions.flatMap(({ stances }) => stances.map(({ agent }) => agent)),
    ...receipts.flatMap(({ agent, failure }) => (failure === null ? agent : [])),
  ]);
  const names = [...agents].toSorted();
  const rows = solutions.map((solution) => [
    inlineCode(solution.name),
    ...names.map((name) => cell(solution, name)),
  ]);
  return table([{ name: 'Solution' }, ...names.map((name) => ({ name }))], rows);
}

const verbs: Readonly<Record<HeldStance['stance'], string>> = {
  support: 'supports',
  oppose: 'opposes',
  unsure: 'is unsure of',
};

const stanceBadges: Readonly<Record<HeldStance['stance'], Markup>> = {
  support: badge('good', '+', 'supports'),
  oppose: badge('bad', '−', 'opposes'),
  unsure: badge('warn', '?', 'unsure'),
};

function cell(
  { stances, source_cli: authors, preferred_by: preferred = [] }: Solution,
  agent: string,
): Part {
  const held = stances.find((stance) => stance.agent === agent);
  const lines = [
    ...(held === undefined ? [] : [stanceBadges[held.stance]]),
    ...(preferred.includes(agent) ? [badge('good', '★', 'prefers')] : []),
    ...(authors.includes(agent) ? [badge('quiet', '✎', 'proposed')] : []),
  ];
  if (lines.length === 0) return markup`<span class="quiet">no stance</span>`;
  return lines.map((line) => markup`${line}<br>`);
}

function under(heading: string, texts: readonly string[]): Part {
  return texts.length === 0 ? null : markup`<h4>${heading}</h4>${bulletList(texts)}`;
}
