import type { ContextPackage } from '../../model/context-package.ts';
import type { ExecutionResult } from '../../model/execution.ts';
import type { Finding } from '../../model/finding.ts';
import { nameOf } from '../../model/plan-rules.ts';
import { type Plan, isDraftPlan } from '../../model/plan.ts';
import { parallelGroups, topologicalOrder } from '../../model/task-order.ts';
import type { Check } from '../../model/check.ts';
import type { Task } from '../../model/task.ts';
import { counted } from '../../model/wording.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { block, code, dashed, inline, plain, under } from '../markdown.ts';
import { doneText, stepsAfter } from '../execution/result-text.ts';
import { handOverText } from './hand-off.ts';

/** `plan.md`: the whole plan for people, in the order in which they decide about it. */
export function planMarkdown({
  plan,
  tasks,
  findings,
  contextPackage,
  folder,
  result = null,
}: {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly findings: readonly Finding[];
  readonly contextPackage: ContextPackage;
  readonly folder: Pick<SessionFolder, 'id' | 'relative'>;
  /** Of the last execution. */
  readonly result?: ExecutionResult | null;
}): string {
  const sections = [
    head(plan, contextPackage, folder.id),
    result === null ? '' : doneText(result),
    findingsText(findings),
    uncertaintyText(contextPackage),
    under(
      '## Open questions',
      dashed((contextPackage.open_questions ?? []).map(inline)),
      'The agents asked these, and nobody answered; the plan rests on an assumption for each:',
    ),
    `## Approach\n\n${block(plan.approach)}`,
    `## Tasks\n\n${orderText(tasks)}`,
    ...tasks.map(taskMarkdown),
    decisionsText(plan),
    under('## Constraints', dashed((plan.constraints ?? []).map(inline))),
    under('## Milestones', dashed((plan.milestones ?? []).map(inline))),
    result === null ? nextSteps(folder) : stepsAfter(result, folder.id),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function head(
  plan: Plan,
  { task_description: task, solution }: ContextPackage,
  id: string,
): string {
  const { _metadata: metadata } = plan;
  const isDraft = isDraftPlan(plan);
  const ratings = [
    ...(plan.complexity === undefined ? [] : [`complexity ${plan.complexity}`]),
    `${solution.effort} effort`,
    `${solution.risk} risk`,
  ];
  const facts = [
    `Session \`${id}\``,
    counted(plan.task_count, 'task'),
    ...(isDraft ? ['draft by rules, which nobody rated'] : ratings),
    `source ${metadata.source}`,
  ];
  return `# ${isDraft ? 'Draft' : 'Plan'}: ${inline(task)}\n\n${facts.join(' · ')}\n\n${block(plan.summary)}`;
}

function findingsText(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ severity, file, pointer, message }) =>
      `- **${severity}** ${inline(message)} (${code(`${file}${pointer}`)})`,
  );
  return under('## Plan check', lines.length === 0 ? ['Nothing was found.'] : lines);
}

function uncertaintyText({ uncertainty, consensus }: ContextPackage): string {
  const open = dashed((consensus.disagreements ?? []).map(inline));
  if (uncertainty === null) {
    return under('## Uncertainty', open, 'The agents did not agree on everything:');
  }
  return `## Uncertainty\n\n${[block(uncertainty), open.join('\n')].join('\n\n').trim()}`;
}

/** Groups from top to bottom: what stands in one group may run at once. */
function orderText(tasks: readonly Task[]): string {
  const sorted = topologicalOrder(tasks);
  if (!sorted.ok) {
    return `There is no order: ${sorted.failure.cycle.map((id) => inline(nameOf(id))).join(' → ')}.`;
  }
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const groups = parallelGroups(tasks).map((ids, index) => {
    const lines = ids.flatMap((id) => byId.get(id) ?? []).map(orderLine);
    return `${index + 1}. ${lines.join('\n   ')}`;
  });
  const hint = 'Tasks of one group may run at once; each group waits for what it names.';
  const order = `${hint}\n\n\`\`\`text\n${groups.join('\n   │\n')}\n\`\`\``;
  return tasks.length < 2 ? order : `${order}\n\n${diagram(tasks)}`;
}

function orderLine({ id, title, depends_on: needs }: Task): string {
  const waits = needs.length === 0 ? '' : `  ← ${needs.map(plain).join(', ')}`;
  return `${plain(id)}  ${plain(title)}${waits}`;
}

/** The same for readers that draw Mermaid. Its own names for the tasks cannot be words of Mermaid. */
function diagram(tasks: readonly Task[]): string {
  const names = new Map(tasks.map(({ id }, at) => [id, `t${at + 1}`]));
  const nodes = tasks.map(({ id, title }, at) => `  t${at + 1}["${label(`${id}: ${title}`)}"]`);
  const arrows = tasks.flatMap(({ depends_on: needs }, at) =>
    needs.flatMap((need) => (names.has(need) ? `  ${names.get(need)} --> t${at + 1}` : [])),
  );
  return ['```mermaid', 'flowchart LR', ...nodes, ...arrows, '```'].join('\n');
}

/** Short, with every sign that could mean something to Mermaid as its code. */
function label(text: string): string {
  const characters = Array.from(plain(text));
  const short = characters.length <= 60 ? characters : [...characters.slice(0, 59), '…'];
  return short
    .map((one) => (/[\p{L}\p{M}\p{N} .,:…-]/u.test(one) ? one : `#${one.codePointAt(0)};`))
    .join('');
}

function decisionsText({ design_decisions: decisions = [] }: Plan): string {
  const lines = decisions.flatMap(({ decision, rationale, tradeoff, alternatives = [] }) => [
    `- **${inline(decision)}**: ${inline(rationale)}`,
    ...(tradeoff === undefined ? [] : [`  - Trade-off: ${inline(tradeoff)}`]),
    ...alternatives.map((other) => `  - Not chosen: ${inline(other)}`),
  ]);
  return under('## Decisions', lines);
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

/** One task of `plan.md`. */
export function taskMarkdown(task: Task): string {
  const steps = (task.implementation ?? []).map((step, index) => `${index + 1}. ${stepText(step)}`);
  const parts = [
    `## ${inline(task.id)}: ${inline(task.title)}`,
    block(task.description),
    under('**Files**', dashed((task.files ?? []).map(fileText))),
    under('**Steps**', steps),
    under('**Done when**', dashed(task.convergence.criteria.map(inline))),
    under('**Checks**', dashed((task.checks ?? []).map(checkWords))),
    under('**Tests**', dashed(testTexts(task))),
    under('**Follow**', dashed((task.reference?.files ?? []).map(code))),
    under('**Risks**', dashed((task.risks ?? []).map(riskText))),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

type InTask<Field extends keyof Task> =
  NonNullable<Task[Field]> extends readonly (infer One)[] ? One : never;

function fileText({ path, action, target, change, changes = [] }: InTask<'files'>): string {
  const what = [change, ...changes].filter((text) => text !== undefined).join('; ');
  const place = target === undefined ? '' : ` (${inline(target)})`;
  return `${action ?? 'touch'} ${code(path)}${place}${what === '' ? '' : `: ${inline(what)}`}`;
}

function stepText(step: InTask<'implementation'>): string {
  if (typeof step === 'string') return inline(step);
  const { title, description } = step;
  return title === undefined ? inline(description) : `${inline(title)}: ${inline(description)}`;
}

function checkWords(check: Check): string {
  switch (check.kind) {
    case 'command':
      return `command: ${code(check.argv.map(quoted).join(' '))}`;
    case 'test':
      return `test: ${code(check.path)}${check.name === undefined ? '' : ` (${inline(check.name)})`}`;
    case 'file':
      return `file: ${code(check.path)} ${check.exists ? 'exists' : 'is gone'}`;
    case 'symbol':
      return `symbol: ${code(check.path)} defines ${code(check.symbol)}`;
    case 'text':
      return `text: ${code(check.path)} contains ${code(check.contains)}`;
    case 'manual':
      return `by a person: ${inline(check.describes)}`;
  }
}

function quoted(argument: string): string {
  return /^[\w./:=@-]+$/.test(argument) ? argument : JSON.stringify(argument);
}

function testTexts({ test }: Task): readonly string[] {
  if (test === undefined) return [];
  const commands = Array.isArray(test.commands)
    ? test.commands
    : Object.values(test.commands ?? {});
  return [
    ...commands.map((command) => `run ${code(command)}`),
    ...(test.unit ?? []).map((unit) => `unit: ${inline(unit)}`),
    ...(test.integration ?? []).map((one) => `integration: ${inline(one)}`),
    ...(test.manual_checks ?? []).map((check) => `by hand: ${inline(check)}`),
  ];
}

function riskText({ description, probability, impact, mitigation }: InTask<'risks'>): string {
  return `${inline(description)} (probability ${probability}, impact ${impact}): ${inline(mitigation)}`;
}
