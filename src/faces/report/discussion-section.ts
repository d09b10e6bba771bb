// Shows the options side by side, the stances of each round, the claims about the code.
import {
  type CheckedClaim,
  type HeldStance,
  type ReferenceStatus,
  type Solution,
  type Synthesis,
  isDraft,
  unratedText,
  referenceWords,
} from '../../model/synthesis.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import { counted, listed, sentence } from '../../model/wording.ts';
import {
  differencesOf,
  faultyReferences,
  missingText,
  opinionText,
  opinionsOn,
  tallyOf,
  versionTexts,
} from '../../phases/opinions.ts';
import { whyNoVote } from '../../phases/discussion/votes.ts';
import { replyTexts } from '../../phases/present-options.ts';
import { agreementText } from '../short-forms.ts';
import {
  type Markup,
  type Part,
  badge,
  bulletList,
  factList,
  foldable,
  inlineCode,
  markup,
  paragraphs,
  table,
} from './markup.ts';

/** The badge of a cited location after the check. */
export const verdictBadge: Readonly<Record<ReferenceStatus, Markup>> = {
  failed: badge('bad', '✗', 'failed'),
  moved: badge('warn', '→', 'moved'),
  planned: badge('quiet', '○', 'planned'),
  verified: badge('good', '✓', referenceWords.verified),
};

/** The solutions side by side, best first. */
export function optionsText(synthesis: Synthesis, chosen: string | null): Part {
  const missing = missingText(synthesis, 'the user');
  const options = synthesis.solutions.map((solution, at) =>
    optionText({ solution, synthesis, number: at + 1, chosen }),
  );
  const rule = synthesis.convergence.chosen_by_rule?.why ?? null;
  return markup`${missing === null ? null : markup`<p>${missing}.</p>`}${rule === null ? null : markup`<p>${rule}</p>`}<div class="options">${options}</div>`;
}

function optionText({
  solution,
  synthesis,
  number,
  chosen,
}: {
  readonly solution: Solution;
  readonly synthesis: Synthesis;
  readonly number: number;
  readonly chosen: string | null;
}): Markup {
  const { name, summary, pros, cons, technical_concerns: concerns } = solution;
  const { implementation_plan: plan, feasibility, effort, risk } = solution;
  const isChosen = name === chosen;
  const steps = plan.tasks.map(({ name: step, key_point: point }) =>
    point === null ? step : `${step}: ${point}`,
  );
  const places = solution.affected_files.map(({ file, line, action, status, note }) => {
    const place = line === null ? file : `${file}:${line}`;
    return markup`${action} <code>${place}</code> ${verdictBadge[status]} ${inlineCode(note)}`;
  });
  const unrated = unratedText(solution, isDraft(solution));
  const ratings =
    unrated === null
      ? factList([
          ['Feasibility', feasibility.toFixed(2)],
          ['Effort', effort],
          ['Risk', risk],
        ])
      : markup`<p>${unrated.slice(0, 1).toUpperCase()}${unrated.slice(1)}.</p>`;
  return markup`<article class="${isChosen ? 'option chosen' : 'option'}"><h3>${number}. ${inlineCode(name)}</h3>
<p class="quiet">${isChosen ? [badge('good', '✓', 'chosen'), ' · '] : null}from ${listed(solution.source_cli)}</p>
${paragraphs(summary)}${ratings}
${bulletList(pros, 'for')}${bulletList([...cons, ...concerns], 'against')}
${saidText(solution, synthesis)}
${foldable(counted(steps.length, 'step'), [paragraphs(plan.approach), bulletList(steps)])}
${places.length === 0 ? null : foldable(counted(places.length, 'file'), bulletList(places))}</article>\n`;
}

/** Opinions for and against it with the reasons, references that failed, differences from others. */
function saidText(solution: Solution, synthesis: Synthesis): Markup {
  const opinions = opinionsOn(solution, synthesis);
  const tally = tallyOf(opinions).map(({ text }) => text);
  const failed = faultyReferences(solution).map((text) => [
    verdictBadge.failed,
    ': ',
    inlineCode(text),
  ]);
  const others = [...differencesOf(solution, synthesis), ...versionTexts(solution)];
  return markup`<p>${tally.length === 0 ? 'Nobody took a stance.' : `${tally.join(' · ')}.`}</p>
${bulletList(opinions.map((one) => opinionText(one)))}${bulletList(failed)}${bulletList(others)}`;
}

const stances: Readonly<Record<HeldStance['stance'], { verb: string; badge: Markup }>> = {
  support: { verb: 'supports', badge: badge('good', '+', 'supports') },
  oppose: { verb: 'opposes', badge: badge('bad', '−', 'opposes') },
  unsure: { verb: 'is unsure of', badge: badge('warn', '?', 'unsure') },
};

/** The agents’ questions with the user’s answers, and everything else that the user told them. */
export function answersText({
  clarifications,
  feedback,
  open_questions = [],
  assumptions = [],
}: ContextPackage): Part {
  const answers = clarifications.map(({ question, answer }) => `${question} ${answer}`);
  const assumed = assumptions.map(
    ({ question, assumption, agents }) => `${question} ${listed(agents)} assumed: ${assumption}`,
  );
  return [
    under('Answered', answers),
    under('What the agents were told', feedback),
    under('Nobody answered', open_questions),
    under('Assumed', assumed),
  ];
}

/** The stance of each agent on each solution in a round, and why. */
export function roundText(round: Synthesis): Markup {
  const { convergence, cross_verification: cross, notes } = round;
  const missing = missingText(round, 'the user');
  const result = `${agreementText(convergence.recommendation)}, score ${convergence.score.toFixed(2)}`;
  const reasons = round.solutions.flatMap(({ name, stances: held }) =>
    held.flatMap(({ agent, stance, reasons: why }) => {
      const text = why.map(sentence).join(' ');
      return text === '' ? [] : `${agent} ${stances[stance].verb} “${name}”: ${text}`;
    }),
  );
  return markup`<article><h3>Round ${round.round}: ${result}</h3>
${matrix(round)}${under('Who answered', answerers(round))}${under('Reasons', reasons)}${under('Agreement', cross.agreements)}${under('Disagreement', cross.disagreements)}${under('How the score came about', convergence.reasons)}${under('Did not answer', missing === null ? [] : [missing])}${under('Answers to the user', replyTexts(round))}${under('Notes', notes)}</article>\n`;
}

/** Each agent with how it was reached, its model and the model’s vendor. */
function answerers({ receipts }: Synthesis): readonly string[] {
  return receipts
    .filter(({ failure }) => failure === null)
    .map(({ agent, transport, model, vendor }) => {
      const facts = [transport?.replaceAll('-', ' '), model, vendor].filter(
        (fact) => typeof fact === 'string',
      );
      return facts.length === 0 ? agent : `${agent}: ${facts.join(', ')}`;
    });
}

function under(heading: string, texts: readonly string[]): Part {
  return texts.length === 0 ? null : markup`<h4>${heading}</h4>${bulletList(texts)}`;
}

/** A table with solutions as rows and agents as columns. */
function matrix({ round, solutions, receipts }: Synthesis): Part {
  const agents = new Set([
    ...solutions.flatMap(({ source_cli: authors }) => authors),
    ...solutions.flatMap(({ stances: held }) => held.map(({ agent }) => agent)),
    ...receipts.flatMap(({ agent, failure }) => (failure === null ? agent : [])),
  ]);
  const names = [...agents].toSorted();
  const rows = solutions.map((solution) => [
    inlineCode(solution.name),
    ...names.map((name) => stanceCell(solution, name, { round, receipts })),
  ]);
  return table(['Solution', ...names], rows);
}

function stanceCell(
  solution: Solution,
  agent: string,
  synthesis: Pick<Synthesis, 'round' | 'receipts'>,
): Part {
  const { stances: all, source_cli: authors, preferred_by: preferred = [] } = solution;
  const held = all.find((stance) => stance.agent === agent);
  const noVote =
    held === undefined || held.stance === 'unsure' ? null : whyNoVote(agent, solution, synthesis);
  const lines = [
    ...(held === undefined ? [] : [stances[held.stance].badge]),
    ...(noVote === null ? [] : [`no vote: ${noVote}`]),
    ...(preferred.includes(agent) ? [badge('good', '★', 'prefers')] : []),
    ...(authors.includes(agent) ? [badge('quiet', '✎', 'proposed')] : []),
  ];
  return lines.length === 0 ? 'no stance' : lines.map((line) => markup`${line}<br>`);
}

/** The agents’ claims about the code with their quotes; those that did not hold come first. */
export function claimsText(rounds: readonly Synthesis[]): Part {
  const solutions = rounds.flatMap((round) => round.solutions);
  const made = solutions.flatMap(({ claims, stances: held }) => [
    ...claims,
    ...held.flatMap(({ evidence }) => evidence),
  ]);
  if (made.length === 0) return markup`<p>No agent cited the code.</p>`;
  // Repeated in a later round, or by another agent, it counts as one claim.
  const shared = [
    ...Map.groupBy(made, ({ statement, path, line, quote }) =>
      JSON.stringify([statement, path, line, quote]),
    ).values(),
  ];
  const groups = Object.entries(verdictBadge).flatMap(([status, verdict]) => {
    const claims = shared.filter(([claim]) => claim?.status === status);
    return claims.length === 0
      ? []
      : foldable([verdict, ': ', counted(claims.length, 'claim')], claims.map(claimText));
  });
  return markup`<p>Each place was looked up in the code as it was when the session began.</p>
${groups}`;
}

function claimText(same: readonly CheckedClaim[]): Part {
  const [claim] = same;
  if (claim === undefined) return null;
  const { statement, path, line, found_line: found, quote, note } = claim;
  const agents = listed([...new Set(same.map(({ agent }) => agent))]);
  const moved = found !== null && found !== line ? `, cited as line ${line}` : '';
  return markup`<div class="claim"><p class="lines">${inlineCode(statement)}</p>
${quote === '' ? null : markup`<pre>${quote}</pre>`}
<p class="quiet"><code>${path}:${found ?? line}</code>${moved} · ${agents}${note === '' ? null : [' · ', inlineCode(note)]}</p></div>\n`;
}
