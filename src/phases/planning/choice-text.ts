// Explains in `plan.md` why this solution was chosen, what spoke against it, and what is assumed.
import type { ContextPackage, PackagedRemark } from '../../model/context-package.ts';
import type { PlanFiles } from '../../model/plan.ts';
import { clause, listed, sentence } from '../../model/wording.ts';
import { dashLines, inline, writeSection } from '../markdown.ts';
import { outcomeTexts, remarksToAnswer, replyClauses } from '../remark-words.ts';
import { saySame } from '../topic-words.ts';

type Chosen = PlanFiles & { readonly contextPackage: ContextPackage };

/** Names who proposed and opposed the solution, each remark with its outcome, and the alternatives. */
export function choiceText({ plan, tasks, contextPackage }: Chosen): string {
  const { solution, consensus, remarks = [], alternatives = [] } = contextPackage;
  if (solution.draft === true) return '';
  const notes = remarks.filter(({ kind }) => kind === 'note');
  const outcomeOf = (one: PackagedRemark) =>
    outcomeTexts(one, { plan, tasks }).map(inline).join(' ');
  const parts = [
    `${proposedText(solution)} ${resolutionText(consensus)}`.trim(),
    writeSection('**What examiners noted**', dashLines(notes.map(remarkText))),
    writeSection(
      '**What was held against it or asked for, and what became of it**',
      dashLines(
        remarksToAnswer(contextPackage).map((one) => `${remarkText(one)}. ${outcomeOf(one)}`),
      ),
    ),
    writeSection('**What was not chosen**', dashLines(alternatives.map(alternativeText))),
  ];
  return `## Why this solution\n\n${parts.filter((part) => part !== '').join('\n\n')}`;
}

function resolutionText({ resolved_conflicts: text }: ContextPackage['consensus']): string {
  return text.trim() === '' ? '' : inline(sentence(text));
}

type Head = Omit<NonNullable<ContextPackage['alternatives']>[number], 'decided_against'>;

function proposedText({ name, source_cli: authors, positions = [] }: Head): string {
  const held = positions.length === 0 ? '' : ` (${inline(positions.join('; '))})`;
  return `“${inline(name)}” was proposed by ${inline(listed(authors))}${held}.`;
}

const kindTexts: Readonly<Record<PackagedRemark['kind'], string>> = {
  objection: 'an objection by',
  note: 'a note by',
  change: 'a change asked for by',
  adopted: 'a part to take over, for',
};

function remarkText(remark: PackagedRemark): string {
  const { id, kind, text, agents, evidence, from, replies, objections = [] } = remark;
  const found = evidence.filter(({ status }) => status !== 'failed');
  const places = found.map(({ path, line }) => `${path}:${line}`);
  const cited = places.filter((place) => !text.includes(place));
  const where = cited.length === 0 ? '' : ` (found in ${inline(cited.join(', '))})`;
  const source = from === undefined ? '' : ` from “${inline(from)}”`;
  const head = `**${inline(id)}**, ${kindTexts[kind]} ${inline(listed(agents))}${source}`;
  const answers = replyClauses({ agents, replies }).map((one) => `. ${inline(one)}`);
  return `${head}: ${inline(text.replace(/[.;\s]+$/, ''))}${where}${[...answers, ...objections.map((one) => `. Against it, ${inline(clause(one))}`)].join('')}`;
}

function alternativeText({
  decided_against: against,
  differs,
  ...head
}: NonNullable<ContextPackage['alternatives']>[number]): string {
  const why = [
    ...(differs === undefined ? [] : [`It differs: ${inline(differs)}`]),
    ...(against === undefined ? [] : [`Against it: ${remarkText(against)}.`]),
  ];
  return [proposedText(head), ...why].join(' ');
}

/** The answers of the user to the agents, and everything else that the user told them. */
export function saidText({ clarifications, feedback }: ContextPackage): string {
  const answers = clarifications.map(
    ({ question, answer }) => `${inline(question)} **${inline(answer)}**`,
  );
  const others = feedback.filter((text) => !clarifications.some(({ answer }) => answer === text));
  return writeSection('## What the user said', dashLines([...answers, ...others.map(inline)]));
}

/** The unanswered questions, each with what the agents assumed. */
export function questionsText({ open_questions = [], assumptions = [] }: ContextPackage): string {
  const assumptionsOn = (question: string) =>
    assumptions.filter((held) => saySame(held.question, question));
  const others = assumptions.filter(
    ({ question }) => !open_questions.some((asked) => saySame(asked, question)),
  );
  const lines = [
    ...open_questions.flatMap((question) => {
      const held = assumptionsOn(question);
      const assumed = held.length === 0 ? ['  - Nobody stated an assumption.'] : held.map(heldText);
      return [`- ${inline(question)}`, ...assumed];
    }),
    ...others.flatMap((held) => [`- ${inline(held.question)}`, heldText(held)]),
  ];
  return writeSection(
    '## Open questions',
    lines,
    'The agents asked these, and nobody answered; the plan rests on an assumption for each:',
  );
}

function heldText({
  assumption,
  agents,
}: NonNullable<ContextPackage['assumptions']>[number]): string {
  return `  - Assumed by ${inline(listed(agents))}: ${inline(assumption)}`;
}
