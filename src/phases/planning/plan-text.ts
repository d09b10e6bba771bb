// Writes `plan.md`, in which text from outside cannot become Markdown, and the commands that can follow.
import type { ContextPackage, PackagedRemark } from '../../model/context-package.ts';
import type { ExecutionResult } from '../../model/execution.ts';
import { applyCommand, objectionsTo, outcomeText } from '../../model/execution-summary.ts';
import type { Finding } from '../../model/finding.ts';
import { type Plan, isDraftPlan, type PlanFiles } from '../../model/plan.ts';
import type { PlanReading } from '../../model/plan-reading.ts';
import { readingText } from '../../model/reading-summary.ts';
import { isFound } from '../../model/found-evidence.ts';
import { type CheckedClaim, unratedText } from '../../model/synthesis.ts';
import { executionFlow } from '../../model/task-order.ts';
import { type Check, checkName, checkTarget } from '../../model/check.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { cleanText } from '../../model/clean-text.ts';
import { clause, counted, listed, oneLine, titleOf, sentence } from '../../model/wording.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { shownPath } from '../../prompts/plan-prompt.ts';
import { block, code, dashLines, inline, listEntry, writeSection } from '../markdown.ts';
import { proofSection } from '../proof/proof-section.ts';
import { outcomeTexts, remarksToAnswer, replyClauses } from '../remark-words.ts';
import { saySame } from '../topic-words.ts';
import type { PlannedFiles } from './check-plan.ts';
import { handOverText } from './hand-over.ts';

/** Writes `plan.md`: the whole plan for people, in the order in which they decide about it. */
export function planMarkdown({
  plan,
  tasks,
  findings,
  contextPackage,
  folder,
  reading = null,
  result = null,
}: PlannedFiles & {
  readonly findings: readonly Finding[];
  readonly folder: Pick<SessionFolder, 'id' | 'relative'>;
  /** Null if nobody was asked to read it. */
  readonly reading?: PlanReading | null;
  /** The result of the last execution. */
  readonly result?: ExecutionResult | null;
}): string {
  const sections = [
    planHead(plan, contextPackage, folder.id),
    result === null ? '' : doneText(result),
    findingsText(findings),
    reading === null ? '' : readingSection(reading),
    proofSection(plan),
    uncertaintyText(contextPackage),
    saidText(contextPackage),
    questionsText(contextPackage),
    choiceText({ plan, tasks, contextPackage }),
    `## Approach\n\n${block(plan.approach)}`,
    `## Tasks\n\n${orderText(tasks)}`,
    ...tasks.map(taskMarkdown),
    decisionsText(plan),
    writeSection('## Constraints', dashLines((plan.constraints ?? []).map(inline))),
    writeSection('## Milestones', dashLines((plan.milestones ?? []).map(inline))),
    result === null ? nextSteps(folder) : stepsAfter(result, folder.id),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function planHead(
  plan: Plan,
  { task_description: task, solution }: ContextPackage,
  id: string,
): string {
  const isDraft = isDraftPlan(plan);
  const ratings = [
    ...(plan.complexity === undefined ? [] : [`complexity ${plan.complexity}`]),
    ...(unratedText(solution, isDraft) === null
      ? [`${solution.effort} effort`, `${solution.risk} risk`]
      : ['effort and risk not rated']),
  ];
  const facts = [
    `Session \`${id}\``,
    counted(plan.task_count, 'task'),
    ...(isDraft ? ['rule-based draft, not rated'] : ratings),
    ...authorOf(plan),
  ];
  const title = titleOf(task);
  const whole = title === oneLine(task) ? '' : `\n\n**The task**\n\n${block(task)}`;
  return `# ${isDraft ? 'Draft' : 'Plan'}: ${inline(title)}\n\n${facts.join(' · ')}\n\n${block(plan.summary)}${whole}`;
}

function authorOf(plan: Plan): readonly string[] {
  const { _metadata: metadata } = plan;
  const { planner, source } = metadata;
  if (planner !== undefined) return [`written by ${inline(planner)}`];
  return source === 'direct-planning' && !isDraftPlan(plan) ? ['made by rules'] : [];
}

function findingsText(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ severity, file, pointer, message }) =>
      `- **${severity}** ${inline(message)} (${code(`${file}${pointer}`)})`,
  );
  return writeSection('## Plan check', lines.length === 0 ? ['Nothing was found.'] : lines);
}

/** The readers of the plan, their findings, and how its author responded to each. */
function readingSection({ readers, unread, findings, notes }: PlanReading): string {
  const who = readers.map(({ agent }) => inline(agent));
  const lead =
    readers.length === 0
      ? `Not yet read by others: ${inline(unread)}.`
      : `Read by ${listed(who)}: ${readingText(findings)}.`;
  const lines = findings.flatMap((finding) => {
    const { id, severity, task, problem, suggestion, fate, reply } = finding;
    const about = task === null ? '' : ` (${inline(task)})`;
    return [
      `- **${id}, ${severity}, ${fate}**${about}: ${inline(problem)}`,
      ...finding.evidence.map((claim) => `  - Evidence: ${claimText(claim)}`),
      `  - Suggestion: ${inline(suggestion)}`,
      ...(reply === '' ? [] : [`  - Reply: ${inline(reply)}`]),
      ...finding.reply_evidence.map((claim) => `  - Its evidence: ${claimText(claim)}`),
    ];
  });
  const others = readers.length === 0 ? [] : notes.map(inline);
  const body = [lines.join('\n'), dashLines(others).join('\n')].filter((text) => text !== '');
  return ['## What others found in it', lead, ...body].join('\n\n');
}

function claimText(claim: CheckedClaim): string {
  const { path, line, found_line: found, quote } = claim;
  const where = path === shownPath ? 'the plan or the request' : code(`${path}:${found ?? line}`);
  return `${where} ${code(quote)}${isFound(claim) ? '' : ', not found there'}`;
}

function uncertaintyText({ uncertainty, consensus }: ContextPackage): string {
  const open = dashLines((consensus.disagreements ?? []).map(inline));
  if (uncertainty === null) {
    return writeSection('## Uncertainty', open, 'The agents did not agree on everything:');
  }
  return `## Uncertainty\n\n${[block(uncertainty), open.join('\n')].join('\n\n').trim()}`;
}

function orderText(tasks: readonly Task[]): string {
  const flow = executionFlow(tasks);
  const order =
    flow === ''
      ? 'There is no order: tasks wait for each other in a circle.'
      : `Order: ${inline(flow)}. Tasks in brackets may run at once.`;
  const lines = tasks.map(({ id, title, depends_on: needs }) => {
    const waits = needs.length === 0 ? '' : ` (after ${needs.map(inline).join(', ')})`;
    return `${inline(id)}: ${inline(title)}${waits}`;
  });
  const graph = tasks.length < 2 ? '' : `\n\n${diagram(tasks)}`;
  return `${order}\n\n${dashLines(lines).join('\n')}${graph}`;
}

/**
 * The task graph as GitHub and many editors draw it. Its nodes get generated names, because an id may be a
 * Mermaid keyword.
 */
function diagram(tasks: readonly Task[]): string {
  const names = new Map(tasks.map(({ id }, at) => [id, `t${at + 1}`]));
  const nodes = tasks.map(({ id, title }, at) => `  t${at + 1}["${label(`${id}: ${title}`)}"]`);
  const arrows = tasks.flatMap(({ depends_on: needs }, at) =>
    needs.flatMap((need) => (names.has(need) ? `  ${names.get(need)} --> t${at + 1}` : [])),
  );
  return ['```mermaid', 'flowchart LR', ...nodes, ...arrows, '```'].join('\n');
}

/** Encodes every character that could have a meaning in Mermaid. */
function label(text: string): string {
  return Array.from(oneLine(cleanText(text)).slice(0, 60))
    .map((one) => (/[\p{L}\p{M}\p{N} .,:…-]/u.test(one) ? one : `#${one.codePointAt(0)};`))
    .join('');
}

function decisionsText({ design_decisions: decisions = [] }: Plan): string {
  const lines = decisions.flatMap(
    ({ decision, rationale, tradeoff, alternatives = [], answers }) => [
      `- **${inline(clause(decision))}**: ${inline(rationale)}${answersText(answers)}`,
      ...(tradeoff === undefined ? [] : [`  - Trade-off: ${inline(tradeoff)}`]),
      ...alternatives.map((other) => `  - Not chosen: ${inline(other)}`),
    ],
  );
  return writeSection('## Decisions', lines);
}

function answersText(ids: readonly string[] = []): string {
  return ids.length === 0 ? '' : ` (answers ${inline(ids.join(', '))})`;
}

function nextSteps({ id, relative }: Pick<SessionFolder, 'id' | 'relative'>): string {
  return `## What you can do now

\`\`\`sh
conclave review ${id}              # read it, edit it, comment on it, approve it
conclave validate ${id}            # check the files after you edited them
conclave execute ${id}             # carry the approved plan out, in work trees of its own
\`\`\`

Or hand the approved plan to your coding agent yourself, in the root of the repository:

    ${handOverText(relative)}

An edit of plan.json or of a file in .task/ after the approval makes the approval stale. This file is generated: edits here change nothing.`;
}

/** The section of `plan.md` on the outcome of each task and the location of the result. */
function doneText(result: ExecutionResult): string {
  const { tasks, branch, applied, accepted = {} } = result;
  const onBranch =
    branch === null ? 'No file was changed' : `The result is on branch ${code(branch)}`;
  // An applied result has lost its branch, unless the text says otherwise.
  const where = applied === null ? onBranch : `The result was applied: ${inline(applied)}`;
  const lines = tasks.map(({ task, status, why, note = '' }) => {
    const said = why === '' ? note : why;
    return `${inline(task)}: ${status}${said === '' ? '' : ` (${inline(said)})`}`;
  });
  const more = [
    ...objectionsTo(result).map(inline),
    ...Object.entries(accepted).map(
      ([task, because]) => `${inline(task)} was accepted by the user: ${inline(because)}`,
    ),
  ];
  return writeSection(
    '## What was done',
    dashLines([...lines, ...more]),
    `${inline(outcomeText(result))}. ${where}.`,
  );
}

function stepsAfter(result: ExecutionResult, session: string): string {
  const lines = nextCommands(result, session).map(
    ({ command, about }) => `${code(command)}: ${about}`,
  );
  const note = 'This file is generated: edits here change nothing.';
  return `${writeSection('## What you can do now', dashLines(lines))}\n\n${note}`.trim();
}

/** Lists the commands that can follow an execution, each with what it does; none of them would refuse. */
export function nextCommands(
  result: Pick<
    ExecutionResult,
    'status' | 'branch' | 'applied' | 'broken' | 'reviewed_by' | 'objections'
  > &
    Partial<Pick<ExecutionResult, 'tasks'>>,
  session: string,
): readonly { readonly command: string; readonly about: string }[] {
  const { status, branch, applied, broken, reviewed_by: reviewer, objections = [] } = result;
  const failed = (result.tasks ?? []).filter((task) => task.status === 'failed');
  const execute = `conclave execute ${session}`;
  const apply = applyCommand(result, { session });
  const isRefused = objections.length > 0;
  const about = isRefused ? 'apply it against the code review' : 'apply the result to your files';
  const isOpen = branch !== null && applied === null;
  const again =
    (status !== 'completed' || broken !== undefined) && failed.length === 0
      ? 'go on with what is open'
      : isRefused && reviewer === undefined
        ? 'ask for the review again'
        : null;
  return [
    ...(apply === null ? [] : [{ command: apply, about }]),
    ...failed.map(({ task }) => ({
      command: `${execute} --retry ${task}`,
      about: 'have the failed task done again',
    })),
    ...(again === null ? [] : [{ command: execute, about: again }]),
    ...(isOpen
      ? [{ command: `${execute} --discard`, about: 'remove the branch, and start over' }]
      : []),
  ];
}

/** Writes one task of `plan.md`. */
export function taskMarkdown(task: Task): string {
  const steps = (task.implementation ?? []).map((step, index) => `${index + 1}. ${stepText(step)}`);
  const parts = [
    `## ${inline(task.id)}: ${inline(task.title)}`,
    block(task.description),
    writeSection('**Files**', dashLines((task.files ?? []).map(fileText))),
    writeSection('**Steps**', steps),
    writeSection('**Done when**', dashLines(task.convergence.criteria.map(inline))),
    writeSection('**Proves**', dashLines((task.proves ?? []).map(inline))),
    writeSection('**Checks**', dashLines(checksOf(task).map(checkText))),
    writeSection('**Tests**', dashLines(testTexts(task))),
    writeSection('**Follow**', dashLines((task.reference?.files ?? []).map(code))),
    writeSection('**Risks**', dashLines((task.risks ?? []).map(riskText))),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

type InTask<Field extends keyof Task> =
  NonNullable<Task[Field]> extends readonly (infer One)[] ? One : never;

function fileText(file: InTask<'files'>): string {
  const { path, action, target, change, changes = [], removes_tests: removed = [] } = file;
  const what = [change, ...changes].filter((text) => text !== undefined).join('; ');
  const place = target === undefined || target === '' ? '' : ` (${inline(target)})`;
  const gone = removed.length === 0 ? '' : ` (tests that go: ${removed.map(inline).join(', ')})`;
  return `${action ?? 'touch'} ${code(path)}${place}${what === '' ? '' : `: ${inline(what)}`}${gone}`;
}

function stepText(step: InTask<'implementation'>): string {
  if (typeof step === 'string') return listEntry(step);
  const { title, description } = step;
  return title === undefined
    ? listEntry(description)
    : `${inline(title)}: ${listEntry(description)}`;
}

function checkText(check: Check): string {
  const { kind, describes = '' } = check;
  if (kind === 'command') return `command: ${code(checkName(check))}`;
  // The words of a check rarely include the text that it looks for.
  const isSearch = (kind === 'text' || kind === 'symbol') && describes !== '';
  return `${kind}: ${inline(checkName(check))}${isSearch ? ` (${inline(checkTarget(check))})` : ''}`;
}

function testTexts({ test }: Task): readonly string[] {
  if (test === undefined) return [];
  return [
    ...(test.unit ?? []).map((unit) => `unit: ${inline(unit)}`),
    ...(test.integration ?? []).map((one) => `integration: ${inline(one)}`),
    ...(test.manual_checks ?? []).map((check) => `by hand: ${inline(check)}`),
  ];
}

function riskText({ description, probability, impact, mitigation }: InTask<'risks'>): string {
  return `${inline(description)} (probability ${probability}, impact ${impact}): ${inline(mitigation)}`;
}

type Chosen = PlanFiles & { readonly contextPackage: ContextPackage };

/** Names who proposed and opposed the solution, each remark with its outcome, and the alternatives. */
function choiceText({ plan, tasks, contextPackage }: Chosen): string {
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
  const start = `**${inline(id)}**, ${kindTexts[kind]} ${inline(listed(agents))}${source}`;
  const answers = replyClauses({ agents, replies }).map((one) => `. ${inline(one)}`);
  return `${start}: ${inline(text.replace(/[.;\s]+$/, ''))}${where}${[...answers, ...objections.map((one) => `. Against it, ${inline(clause(one))}`)].join('')}`;
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
function saidText({ clarifications, feedback }: ContextPackage): string {
  const answers = clarifications.map(
    ({ question, answer }) => `${inline(question)} **${inline(answer)}**`,
  );
  const others = feedback.filter((text) => !clarifications.some(({ answer }) => answer === text));
  return writeSection('## What the user said', dashLines([...answers, ...others.map(inline)]));
}

/** The unanswered questions, each with what the agents assumed. */
function questionsText({ open_questions = [], assumptions = [] }: ContextPackage): string {
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
