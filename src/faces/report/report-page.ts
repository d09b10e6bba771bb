// Writes `report.html`: its header, its contents and its sections; cost and time by agent.
import type { ReportData } from '../../app/read-report.ts';
import type { Critique } from '../../model/critique.ts';
import { byText, sessionStateText } from '../session-words.ts';
import { clockTime, compareTexts, counted } from '../../model/wording.ts';
import type { RecordedCall } from '../../phases/asking/fold-bill.ts';
import { critiqueTexts, verdictText } from '../critique-words.ts';
import { usageText } from '../short-forms.ts';
import { answersText, claimsText, optionsText, roundText } from './discussion-section.ts';
import { codeReviewText, resultText } from './execution-section.ts';
import { changesText } from './changes-section.ts';
import { type Markup, type Part, bulletList, factList, markup, table } from './markup.ts';
import { remarksToAnswer } from '../../phases/remark-words.ts';
import { readingPart, remarksPart } from './remarks-section.ts';
import { style } from './style.ts';
import { planText, tasksText } from './tasks-section.ts';

/** The whole report as one HTML document that loads nothing else and runs no scripts. */
export function reportPage(data: ReportData): string {
  const sections = sectionsOf(data);
  const missing = missingText(data);
  const { task_description: task } = data.state;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${task}</title>
<style>${style}</style>
</head>
<body>
${header(data)}
${missing === '' ? null : markup`<p class="quiet">${missing}</p>`}
<nav aria-label="Contents"><ol>${sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`)}</ol></nav>
<main>
${sections.map(({ id, title, body }) => markup`<section id="${id}"><h2>${title}</h2>\n${body}</section>\n`)}</main>
</body>
</html>
`;
  return page.text;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Part;
}

/** Sections of the page; those that matter most to a reader of the change come first. */
function sectionsOf({
  state,
  rounds,
  plan,
  reading,
  tasks,
  calls,
  result,
  diff = null,
  codeReview,
  critique = null,
  contextPackage: given,
}: ReportData) {
  const last = rounds.at(-1);
  const chosen = state.user_decision?.solution ?? null;
  const isDiscussed = rounds.length > 0;
  const wasAsked =
    given !== null &&
    [given.clarifications, given.feedback, given.open_questions ?? []].flat().length > 0;
  const remarks = given === null ? [] : remarksToAnswer(given);
  const runs = calls.filter(({ isRun }) => isRun);
  const all: readonly (Section | null | false | undefined)[] = [
    result && { id: 'result', title: 'Result', body: resultText(result) },
    codeReview && {
      id: 'code-review',
      title: 'Code review',
      body: codeReviewText(codeReview, tasks),
    },
    result &&
      diff !== null &&
      diff.trim() !== '' && { id: 'changes', title: 'Changes', body: changesText(diff) },
    critique && { id: 'critique', title: 'Verdict on the plan', body: critiqueText(critique) },
    plan && { id: 'plan', title: 'Plan', body: planText({ plan, tasks, result }) },
    plan && reading && { id: 'readers', title: 'Read by others', body: readingPart(reading) },
    plan && { id: 'tasks', title: 'Tasks', body: tasksText({ tasks, result }) },
    plan &&
      remarks.length > 0 && {
        id: 'remarks',
        title: 'What became of each remark',
        body: remarksPart(remarks, { plan, tasks }),
      },
    last && { id: 'options', title: 'Options', body: optionsText(last, chosen) },
    wasAsked && { id: 'answers', title: 'Questions and answers', body: answersText(given) },
    isDiscussed && { id: 'rounds', title: 'Rounds', body: rounds.map(roundText) },
    isDiscussed && { id: 'claims', title: 'Claims about the code', body: claimsText(rounds) },
    runs.length > 0 && { id: 'cost-and-time', title: 'Cost and time', body: spendingText(calls) },
  ];
  return all.flatMap((section) => section || []);
}

/** The verdict on an existing plan, with everything against it. */
function critiqueText(critique: Critique): Part {
  return markup`<p>The plan is ${verdictText(critique)}</p>${bulletList(critiqueTexts(critique))}`;
}

/** Names each missing part in a sentence. */
function missingText({ rounds, plan, tasks, result, codeReview, calls }: ReportData): string {
  const unread = (plan?.task_count ?? 0) - tasks.length;
  const sentences: readonly (readonly [isMissing: boolean, text: string])[] = [
    [rounds.length === 0, 'No round of the discussion was finished.'],
    [plan === null, 'There is no plan.'],
    [unread > 0, `${counted(unread, 'task')} of the plan cannot be read.`],
    [plan !== null && result === null, 'The plan has not been carried out.'],
    [result !== null && codeReview === null, 'Nobody has reviewed the changes.'],
    [calls.length === 0, 'No agent was asked.'],
  ];
  return sentences.flatMap(([isMissing, text]) => (isMissing ? [text] : [])).join(' ');
}

function header({ state, bill, approval, result }: ReportData): Markup {
  const { user_decision: decision, plan_rejected: rejected } = state;
  const facts: readonly (readonly [name: string, fact: Part])[] = [
    ['Session', markup`<code>${state.session_id}</code>`],
    ['State', `${sessionStateText(state)}, ${counted(state.current_round, 'round')} of discussion`],
    ['Failure', state.failure?.message ?? null],
    ['Began', momentText(state.created_at)],
    ['Last change', momentText(state.updated_at)],
    ['Agents', state.agents.join(', ') || null],
    ['Decision', decision === null ? null : `${decision.solution} (${byText(decision.by)})`],
    [
      'Approved',
      approval && `${momentText(approval.approved_at) ?? ''} (${byText(approval.approved_by)})`,
    ],
    [
      'Rejected',
      rejected && `${byText(rejected.by)}${rejected.why === '' ? '' : `: ${rejected.why}`}`,
    ],
    ['Branch', result?.branch ? markup`<code>${result.branch}</code>` : null],
    ['Commit', result?.commit ? markup`<code>${result.commit}</code>` : null],
    ['Used', usageText(bill)],
  ];
  return markup`<header><p class="quiet">Conclave report</p><h1 class="lines">${state.task_description}</h1>
${factList(facts)}</header>`;
}

/** The spending of each agent: runs, tokens, money and time. */
function spendingText(calls: readonly RecordedCall[]): Part {
  const names = ['Agent', 'Model', 'Runs', 'Failed', 'Tokens in', 'Tokens out', 'Cost', 'Time'];
  const rows = [...Map.groupBy(calls, ({ agent }) => agent)]
    .filter(([, all]) => all.some(({ isRun }) => isRun))
    .toSorted(([a], [b]) => compareTexts(a, b))
    .map(([agent, all]) => {
      const runs = all.filter(({ isRun }) => isRun);
      const models = new Set(runs.flatMap(({ model }) => model ?? []));
      const cost = total(runs, ({ costUsd }) => costUsd);
      return [
        agent,
        [...models].join(', ') || '–',
        runs.length,
        runs.filter(({ failed }) => failed).length,
        total(runs, ({ inputTokens }) => inputTokens)?.toLocaleString('en') ?? '–',
        total(runs, ({ outputTokens }) => outputTokens)?.toLocaleString('en') ?? '–',
        cost === null ? '–' : `$${cost.toFixed(2)}`,
        clockTime(total(all, ({ ms }) => ms) ?? 0),
      ];
    });
  return markup`${table(names, rows)}
<p class="quiet">Tokens and cost as reported by the agents’ own programs, tokens estimated for servers that report none; “–” where nothing is known.</p>`;
}

/** A sum; null if no call reported a value. */
function total(
  calls: readonly RecordedCall[],
  amountOf: (call: RecordedCall) => number,
): number | null {
  const sum = calls.reduce((all, call) => all + amountOf(call), 0);
  return sum === 0 ? null : sum;
}

/** Writes a moment in UTC, because a report is read anywhere; null for an unknown one. */
function momentText(moment: string): string | null {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return null;
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
