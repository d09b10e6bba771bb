// Tells a plan as a document: what is open first, why this solution, then its tasks; and one task of it.
import { type Check, checkName, checkTarget } from '../../model/check.ts';
import type { ContextPackage, PackagedRemark } from '../../model/context-package.ts';
import {
  type Block,
  type Document,
  type Line,
  type Piece,
  documentOf,
  facts,
  fold,
  graph,
  item,
  list,
  placeText,
  prose,
  section,
  textOf,
} from '../../model/document.ts';
import type { ExecutionResult, TaskOutcome } from '../../model/execution.ts';
import { type Finding, factText } from '../../model/finding.ts';
import { isFound } from '../../model/found-evidence.ts';
import type { PlanChange } from '../../model/plan-edit.ts';
import type { PlanReading, ReadFinding } from '../../model/plan-reading.ts';
import { type PlanFiles, isDraftPlan } from '../../model/plan.ts';
import { readersText, readingText } from '../../model/reading-summary.ts';
import { type CheckedClaim, unratedText } from '../../model/synthesis.ts';
import { executionFlow } from '../../model/task-order.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { clause, counted, listed, oneLine, sentence, titleOf } from '../../model/wording.ts';
import { shownPath } from '../../prompts/plan-prompt.ts';
import { changeText } from '../planning/editing/plan-changes.ts';
import { outcomeTexts, remarksToAnswer, replyClauses, noAnswer } from '../remark-words.ts';
import { saySame } from '../topic-words.ts';
import { severityBadge, taskBadges } from './badges.ts';
import { proofSection } from './proof-section.ts';
import { doneSection, outcomeBlocks } from './result-document.ts';

/** Everything that is told of a plan. */
export interface ToldPlan extends PlanFiles {
  readonly findings: readonly Finding[];
  readonly contextPackage: ContextPackage;
  /** Null if nobody was asked to read it. */
  readonly reading?: PlanReading | null;
  /** The version; findings in an earlier one are not open any more. */
  readonly version?: number;
  /** The result of the last execution. */
  readonly result?: ExecutionResult | null;
  /** What changed since the version before. */
  readonly changes?: readonly PlanChange[];
}

/** Tells a plan in the order in which people decide about it. */
export function planDocument(told: ToldPlan): Document {
  const {
    plan,
    tasks,
    findings,
    contextPackage,
    reading = null,
    result = null,
    changes = [],
    version = 0,
  } = told;
  const title = titleOf(contextPackage.task_description);
  const check = checkSection(findings);
  const read = readingSection(reading, version);
  const isOld = reading !== null && reading.version < version;
  const isOpen = !isOld && reading?.findings.some(({ fate }) => fate === 'open') === true;
  return documentOf(`${isDraftPlan(plan) ? 'Draft' : 'Plan'}: ${title}`, [
    prose(headText(told)),
    prose(plan.summary, 'summary'),
    title === oneLine(contextPackage.task_description)
      ? null
      : fold('request', 'The task', [prose(contextPackage.task_description)]),
    result === null ? null : doneSection(result),
    findings.length === 0 ? null : check,
    isOpen ? read : null,
    proofSection(plan, contextPackage),
    uncertaintySection(contextPackage),
    questionsSection(contextPackage),
    changesSection(changes),
    choiceSection(told),
    userSection(contextPackage),
    section('approach', 'Approach', [prose(plan.approach)]),
    section('tasks', 'Tasks', orderBlocks(tasks, result)),
    ...tasks.map((task) => taskSection(task)),
    decisionsSection(plan),
    section('constraints', 'Constraints', [list(plan.constraints ?? [])]),
    section('milestones', 'Milestones', [list(plan.milestones ?? [])]),
    findings.length === 0 ? check : null,
    isOpen ? null : read,
  ]);
}

function headText({ plan, contextPackage: { session_id: id, solution } }: ToldPlan): string {
  const isDraft = isDraftPlan(plan);
  const { _metadata: metadata } = plan;
  const { planner, source } = metadata;
  const isByRules = planner === undefined && source === 'direct-planning' && !isDraft;
  const isUnrated = unratedText(solution, isDraft) !== null;
  const texts = [
    `Session \`${id}\``,
    counted(plan.task_count, 'task'),
    ...(isDraft ? ['rule-based draft, not rated'] : []),
    ...(isDraft || plan.complexity === undefined ? [] : [`complexity ${plan.complexity}`]),
    ...(isDraft
      ? []
      : isUnrated
        ? ['effort and risk not rated']
        : [`${solution.effort} effort`, `${solution.risk} risk`]),
    ...(planner === undefined ? [] : [`written by ${planner}`]),
    ...(isByRules ? ['made by rules'] : []),
  ];
  return texts.join(' · ');
}

/** What the plan check found. */
export function checkSection(findings: readonly Finding[]): Block | null {
  const items = findings.map(({ severity, file, pointer, message }) =>
    item([
      severityBadge(severity),
      ' ',
      factText({ message }),
      ' (',
      { code: `${file}${pointer}` },
      ')',
    ]),
  );
  return section('check', 'Plan check', [list(items) ?? prose('Nothing was found.')]);
}

/** The readers of the plan, what they found, and how its author responded; what is closed is folded. */
export function readingSection(reading: PlanReading | null, version = 0): Block | null {
  if (reading === null) return null;
  const { readers, unread, findings, notes } = reading;
  const lead =
    readers.length === 0
      ? `Not yet read by others: ${unread}.`
      : reading.version < version
        ? `${readersText(reading, version)}.`
        : `Read by ${listed(readers.map(({ agent }) => agent))}: ${readingText(findings)}.`;
  const told = (isOpen: boolean) =>
    list(findings.filter(({ fate }) => (fate === 'open') === isOpen).map(findingItem));
  const closed = findings.filter(({ fate }) => fate !== 'open').length;
  return section('findings', 'What others found in it', [
    prose(lead),
    told(true),
    list(readers.length === 0 ? [] : notes),
    fold('closed', counted(closed, 'closed finding'), [told(false)]),
  ]);
}

function findingItem(finding: ReadFinding): Block {
  const { id, agent, severity, task, problem, suggestion, fate, reply } = finding;
  const about = task === null ? '' : ` (${task})`;
  const head = [
    severityBadge(severity, `${id}, ${severity}, ${fate}`),
    `${about}: ${problem} (found by ${agent})`,
  ];
  const below: readonly Line[] = [
    ...finding.evidence.map((claim) => ['Evidence: ', ...claimPieces(claim)]),
    `Suggestion: ${suggestion}`,
    ...(reply === '' ? [] : [`Reply: ${reply}`]),
    ...finding.reply_evidence.map((claim) => ['Its evidence: ', ...claimPieces(claim)]),
  ];
  return item(head, [list(below)], id);
}

function claimPieces(claim: CheckedClaim): readonly Piece[] {
  const { path, line, found_line: found, quote } = claim;
  const where = path === shownPath ? 'the plan or the request' : { path, line: found ?? line };
  return [where, ' ', { code: quote }, isFound(claim) ? '' : ', not found there'];
}

function uncertaintySection({ uncertainty, consensus }: ContextPackage): Block | null {
  const open = consensus.disagreements ?? [];
  const lead = open.length === 0 ? '' : 'The agents did not agree on everything:';
  return section('uncertainty', 'Uncertainty', [prose(uncertainty ?? lead), list(open)]);
}

/** The questions that nobody answered, each with what the agents assumed. */
export function questionsSection({
  open_questions = [],
  assumptions = [],
}: ContextPackage): Block | null {
  const held = (question: string, none: readonly string[]) => {
    const on = assumptions.filter((one) => saySame(one.question, question));
    const texts = on.map(({ agents, assumption }) => `Assumed by ${listed(agents)}: ${assumption}`);
    return item(question, [list(texts.length === 0 ? none : texts)]);
  };
  const others = assumptions.filter(
    ({ question }) => !open_questions.some((asked) => saySame(asked, question)),
  );
  const items = [
    ...open_questions.map((question) => held(question, ['Nobody stated an assumption.'])),
    ...[...new Set(others.map(({ question }) => question))].map((question) => held(question, [])),
  ];
  if (items.length === 0) return null;
  return section('questions', 'Open questions', [
    prose(
      'The agents asked these, and nobody answered; the plan rests on an assumption for each:',
      'lead',
    ),
    list(items),
  ]);
}

/** What changed between two versions of a plan. */
function changesSection(changes: readonly PlanChange[]): Block | null {
  return section('changes', 'What changed', [list(changes.map(changeText))]);
}

/** Who proposed the solution and why it was chosen; below, each remark with its outcome, and the alternatives. */
function choiceSection({ plan, tasks, contextPackage }: ToldPlan): Block | null {
  const { solution, consensus, remarks = [], alternatives = [] } = contextPackage;
  if (solution.draft === true) return null;
  const notes = remarks.filter(({ kind }) => kind === 'note');
  const why = consensus.resolved_conflicts.trim();
  const all = remarkItems(contextPackage, { plan, tasks });
  const open = all.filter(({ line }) => textOf(line).endsWith(noAnswer));
  const closed = all.filter((one) => !open.includes(one));
  return section('decision', 'Why this solution', [
    prose(`${proposedText(solution)} ${why === '' ? '' : sentence(why)}`.trim(), 'why'),
    section('open', 'What was held against it or asked for, and the plan does not answer', [
      list(open),
    ]),
    fold('answered', `${counted(closed.length, 'remark')} that the plan answers`, [list(closed)]),
    fold('notes', 'What examiners noted', [
      list(notes.map((one) => item(remarkPieces(one), [], one.id))),
    ]),
    fold('alternatives', 'What was not chosen', [list(alternatives.map(alternativePieces))]),
  ]);
}

type Head = Omit<NonNullable<ContextPackage['alternatives']>[number], 'decided_against'>;

function proposedText({ name, source_cli: authors, positions = [] }: Head): string {
  const held = positions.length === 0 ? '' : ` (${positions.join('; ')})`;
  return `“${name}” was proposed by ${listed(authors)}${held}.`;
}

const kindTexts: Readonly<Record<PackagedRemark['kind'], string>> = {
  objection: 'an objection by',
  note: 'a note by',
  change: 'a change asked for by',
  adopted: 'a part to take over, for',
};

/** Each remark that a plan has to answer, with what became of it. */
export function remarkItems(contextPackage: ContextPackage, files: PlanFiles): readonly Block[] {
  return remarksToAnswer(contextPackage).map((remark) =>
    item([...remarkPieces(remark), `. ${outcomeTexts(remark, files).join(' ')}`], [], remark.id),
  );
}

/** A remark with the places that it cites, who answered it and what speaks against it. */
function remarkPieces(remark: PackagedRemark): readonly Piece[] {
  const { id, kind, text, agents, evidence, from, replies, objections = [] } = remark;
  const places = evidence.filter(({ status }) => status !== 'failed').map(placeText);
  const cited = places.filter((place) => !text.includes(place));
  const where = cited.length === 0 ? '' : ` (found in ${cited.join(', ')})`;
  const source = from === undefined ? '' : ` from “${from}”`;
  const answers = replyClauses({ agents, replies }).map((one) => `. ${one}`);
  const against = objections.map((one) => `. Against it, ${clause(one)}`);
  return [
    { text: id, tone: 'strong' },
    `, ${kindTexts[kind]} ${listed(agents)}${source}: ${text.replace(/[.;\s]+$/, '')}${where}`,
    ...answers,
    ...against,
  ];
}

function alternativePieces({
  decided_against: against,
  differs,
  ...head
}: NonNullable<ContextPackage['alternatives']>[number]): readonly Piece[] {
  return [
    proposedText(head),
    differs === undefined ? '' : ` It differs: ${differs}`,
    ...(against === undefined ? [] : [' Against it: ', ...remarkPieces(against), '.']),
  ];
}

/** The answers of the user to the agents, and everything else that the user told them. */
export function userSection({ clarifications, feedback }: ContextPackage): Block | null {
  const answers = clarifications.map(({ question, answer }): Line => [
    `${question} `,
    { text: answer, tone: 'strong' },
  ]);
  const others = feedback.filter((text) => !clarifications.some(({ answer }) => answer === text));
  return section('said', 'What the user said', [list([...answers, ...others])]);
}

/** The order of the tasks, in words, as a list and as a graph. */
export function orderBlocks(tasks: readonly Task[], result: ExecutionResult | null) {
  const flow = executionFlow(tasks);
  const order =
    flow === ''
      ? 'There is no order: tasks wait for each other in a circle.'
      : `Order: ${flow}. Tasks in brackets may run at once.`;
  const lines = tasks.map(({ id, title, depends_on: needs }): Line => [
    { to: id, text: id },
    `: ${title}${needs.length === 0 ? '' : ` (after ${needs.join(', ')})`}`,
  ]);
  const nodes = tasks.map((task) => ({
    id: task.id,
    title: task.title,
    after: task.depends_on,
    status: taskBadges[statusOf(task, result)],
  }));
  return [prose(order, 'order'), list(lines), tasks.length < 2 ? null : graph(nodes)];
}

/** The status that the execution left, or else that of the task’s file. */
function statusOf({ id, status = 'pending' }: Task, result: ExecutionResult | null) {
  return result?.tasks.find(({ task }) => task === id)?.status ?? status;
}

function decisionsSection({ design_decisions: decisions = [] }: PlanFiles['plan']): Block | null {
  const items = decisions.map(
    ({ decision, rationale, tradeoff, alternatives = [], answers = [] }) =>
      item(
        [
          { text: clause(decision), tone: 'strong' },
          `: ${rationale}${answers.length === 0 ? '' : ` (answers ${answers.join(', ')})`}`,
        ],
        [
          list([
            ...(tradeoff === undefined ? [] : [`Trade-off: ${tradeoff}`]),
            ...alternatives.map((other) => `Not chosen: ${other}`),
          ]),
        ],
      ),
  );
  return section('decisions', 'Decisions', [list(items)]);
}

/** Tells a task: what is planned, and after an execution how it ended and what shows that. */
export function taskSection(
  task: Task,
  {
    outcome,
    because,
  }: { readonly outcome?: TaskOutcome | undefined; readonly because?: string | undefined } = {},
): Block | null {
  const { id, title, depends_on: needs } = task;
  const planned = plannedBlocks(task);
  return section(`#${id}`, `${id}: ${title}`, [
    facts([['After', listed(needs)]]),
    ...(outcome === undefined
      ? planned
      : [...outcomeBlocks(task, outcome, because), fold('planned', 'What was planned', planned)]),
  ]);
}

function plannedBlocks(task: Task): readonly (Block | null)[] {
  const { description, files = [], implementation = [], convergence, reference, risks = [] } = task;
  return [
    prose(description, 'description'),
    section('files', 'Files', [list(files.map((file) => item(filePieces(file), [], file.path)))]),
    section('steps', 'Steps', [list(implementation.map(stepText), true)]),
    section('criteria', 'Done when', [list(convergence.criteria)]),
    section('proves', 'Proves', [list(task.proves ?? [])]),
    section('checks', 'Checks', [list(checksOf(task).map(checkPieces))]),
    section('tests', 'Tests', [list(testTexts(task))]),
    section('follow', 'Follow', [
      list((reference?.files ?? []).map((path) => [{ path, line: null }])),
    ]),
    section('risks', 'Risks', [
      list(
        risks.map(
          ({ description: text, probability, impact, mitigation }) =>
            `${text} (probability ${probability}, impact ${impact}): ${mitigation}`,
        ),
      ),
    ]),
  ];
}

type InTask<Field extends keyof Task> =
  NonNullable<Task[Field]> extends readonly (infer One)[] ? One : never;

function filePieces(file: InTask<'files'>): readonly Piece[] {
  const { path, action, target = '', change, changes = [], removes_tests: removed = [] } = file;
  const what = [change, ...changes].filter((text) => text !== undefined).join('; ');
  return [
    `${action ?? 'touch'} `,
    { path, line: null },
    target === '' ? '' : ` (${target})`,
    what === '' ? '' : `: ${what}`,
    removed.length === 0 ? '' : ` (tests that go: ${removed.join(', ')})`,
  ];
}

function stepText(step: InTask<'implementation'>): string {
  if (typeof step === 'string') return step;
  const { title, description } = step;
  return title === undefined ? description : `${title}: ${description}`;
}

function checkPieces(check: Check): readonly Piece[] {
  const { kind, describes = '' } = check;
  if (kind === 'command') return ['command: ', { code: checkName(check) }];
  // The words of a check rarely include the text that it looks for.
  const isSearch = (kind === 'text' || kind === 'symbol') && describes !== '';
  return [`${kind}: ${checkName(check)}`, isSearch ? ` (${checkTarget(check)})` : ''];
}

function testTexts({ test }: Task): readonly string[] {
  const { unit = [], integration = [], manual_checks: byHand = [] } = test ?? {};
  return [
    ...unit.map((one) => `unit: ${one}`),
    ...integration.map((one) => `integration: ${one}`),
    ...byHand.map((one) => `by hand: ${one}`),
  ];
}
