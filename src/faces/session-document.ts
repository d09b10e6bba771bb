// Tells a whole session as one document, which its report shows: result, plan, discussion, cost and time.
import type { ReportData } from '../app/read-report.ts';
import {
  type Block,
  type Document,
  documentOf,
  facts,
  list,
  prose,
  section,
  table,
} from '../model/document.ts';
import { clockTime, compareTexts, counted } from '../model/wording.ts';
import { tasksInOrder } from '../model/task-order.ts';
import type { RecordedCall } from '../phases/asking/fold-bill.ts';
import { critiqueBlocks } from '../phases/documents/critique-document.ts';
import { claimsBlocks, optionsBlocks, roundSection } from '../phases/documents/options-document.ts';
import {
  orderBlocks,
  questionsSection,
  readingSection,
  remarkItems,
  userSection,
  taskSection,
} from '../phases/documents/plan-document.ts';
import { fileDiffs, resultSections, reviewSection } from '../phases/documents/result-document.ts';
import { byText, sessionStateText } from './session-words.ts';
import { usageText } from './short-forms.ts';

/** Tells a session; what matters most to a reader of the change comes first. */
export function sessionDocument(data: ReportData): Document {
  const { state, rounds, plan, reading, tasks, calls, result, critique = null } = data;
  const { codeReview: review, contextPackage: given, diff = null } = data;
  const last = rounds.at(-1);
  const chosen = state.user_decision?.solution ?? null;
  return documentOf(state.task_description, [
    headFacts(data),
    prose(missingText(data), 'missing'),
    result && section('result', 'Result', resultSections(result)),
    review && reviewSection(review, tasks),
    diff === null ? null : section('diff', 'Changes', fileDiffs(diff, review)),
    critique && section('critique', 'Verdict on the plan', critiqueBlocks(critique)),
    plan &&
      section('plan', 'Plan', [
        prose(plan.summary, 'summary'),
        ...orderBlocks(tasks, result),
        section('approach', 'Approach', [prose(plan.approach)]),
        section('decisions', 'Decisions', [
          list(
            (plan.design_decisions ?? []).map(
              ({ decision, rationale }) => `${decision}: ${rationale}`,
            ),
          ),
        ]),
      ]),
    plan && reading && readingSection(reading),
    plan &&
      section(
        'tasks',
        'Tasks',
        tasksInOrder(tasks).map((task) =>
          taskSection(task, {
            outcome: result?.tasks.find((one) => one.task === task.id),
            because: result?.accepted?.[task.id],
          }),
        ),
      ),
    plan &&
      given &&
      section('remarks', 'What became of each remark', [list(remarkItems(given, { plan, tasks }))]),
    last === undefined
      ? null
      : section('options', 'Options', optionsBlocks({ synthesis: last, chosen, you: 'the user' })),
    given && userSection(given),
    given && questionsSection(given),
    section('rounds', 'Rounds', rounds.map(roundSection)),
    rounds.length === 0 ? null : section('claims', 'Claims about the code', claimsBlocks(rounds)),
    spendingSection(calls),
  ]);
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

function headFacts({ state, bill, approval, result }: ReportData): Block | null {
  const { user_decision: decision, plan_rejected: rejected } = state;
  return facts([
    ['Session', [{ code: state.session_id }]],
    ['State', `${sessionStateText(state)}, ${counted(state.current_round, 'round')} of discussion`],
    ['Failure', state.failure?.message ?? null],
    ['Began', momentText(state.created_at)],
    ['Last change', momentText(state.updated_at)],
    ['Agents', state.agents.join(', ')],
    ['Decision', decision === null ? null : `${decision.solution} (${byText(decision.by)})`],
    [
      'Approved',
      approval && `${momentText(approval.approved_at) ?? ''} (${byText(approval.approved_by)})`,
    ],
    [
      'Rejected',
      rejected && `${byText(rejected.by)}${rejected.why === '' ? '' : `: ${rejected.why}`}`,
    ],
    ['Branch', result?.branch ? [{ code: result.branch }] : null],
    ['Commit', result?.commit ? [{ code: result.commit }] : null],
    ['Used', usageText(bill)],
  ]);
}

/** The spending of each agent: runs, tokens, money and time. */
function spendingSection(calls: readonly RecordedCall[]): Block | null {
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
        String(runs.length),
        String(runs.filter(({ failed }) => failed).length),
        total(runs, ({ inputTokens }) => inputTokens)?.toLocaleString('en') ?? '–',
        total(runs, ({ outputTokens }) => outputTokens)?.toLocaleString('en') ?? '–',
        cost === null ? '–' : `$${cost.toFixed(2)}`,
        clockTime(total(all, ({ ms }) => ms) ?? 0),
      ];
    });
  if (rows.length === 0) return null;
  return section('cost-and-time', 'Cost and time', [
    table(names, rows),
    prose(
      'Tokens and cost as reported by the agents’ own programs, tokens estimated for servers that report none; “–” where nothing is known.',
      'note',
    ),
  ]);
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
