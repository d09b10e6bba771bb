import type { ContextPackage } from '../../model/context-package.ts';
import type { Finding } from '../../model/finding.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { nameOf } from '../../model/plan-rules.ts';
import { parallelGroups, topologicalOrder } from '../../model/task-order.ts';
import { counted } from '../../model/wording.ts';
import { block, cell, code, inline, plain } from './markdown.ts';
import { taskText } from './task-text.ts';

/** `plan.md`: the whole plan for people, in the order in which they decide about it. */
export function planMarkdown({
  plan,
  tasks,
  findings,
  contextPackage,
  sessionId,
}: {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly findings: readonly Finding[];
  readonly contextPackage: ContextPackage;
  readonly sessionId: string;
}): string {
  const sections = [
    head(plan, contextPackage, sessionId),
    findingsText(findings),
    uncertaintyText(contextPackage),
    `## Approach\n\n${block(plan.approach)}`,
    `## Tasks\n\n${taskTable(tasks)}`,
    `## Order\n\n${orderText(tasks)}`,
    ...tasks.map(taskText),
    decisionsText(plan),
    list('Constraints', plan.constraints ?? []),
    list('Milestones', plan.milestones ?? []),
    nextSteps(sessionId),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function head(
  plan: Plan,
  { task_description: task, solution }: ContextPackage,
  id: string,
): string {
  const { _metadata: metadata } = plan;
  const facts = [
    `Session \`${id}\``,
    counted(plan.task_count, 'task'),
    ...(plan.complexity === undefined ? [] : [`complexity ${plan.complexity}`]),
    `${solution.effort} effort`,
    `${solution.risk} risk`,
    `source ${metadata.source}`,
  ];
  return `# Plan: ${inline(task)}\n\n${facts.join(' · ')}\n\n${block(plan.summary)}`;
}

function findingsText(findings: readonly Finding[]): string {
  if (findings.length === 0) return '## Plan check\n\nNothing was found.';
  const lines = findings.map(
    ({ severity, file, pointer, message }) =>
      `- **${severity}** ${inline(message)} (${code(`${file}${pointer}`)})`,
  );
  return `## Plan check\n\n${lines.join('\n')}`;
}

function uncertaintyText({ uncertainty, consensus }: ContextPackage): string {
  const open = (consensus.disagreements ?? []).map((text) => `- ${inline(text)}`).join('\n');
  if (uncertainty === null && open === '') return '';
  const lead =
    uncertainty === null ? 'The agents did not agree on everything:' : block(uncertainty);
  return `## Uncertainty\n\n${lead}${open === '' ? '' : `\n\n${open}`}`;
}

function taskTable(tasks: readonly Task[]): string {
  const rows = tasks.map(({ id, title, files = [], depends_on: needs }) => {
    const paths = files.map(({ path }) => cell(code(path))).join(', ');
    return `| ${cell(id)} | ${cell(title)} | ${paths || '–'} | ${needs.map(cell).join(', ') || '–'} |`;
  });
  return ['| Task | Title | Files | Depends on |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** Groups from top to bottom: what stands in one group may run at once. */
function orderText(tasks: readonly Task[]): string {
  const order = topologicalOrder(tasks);
  if (!order.ok) {
    return `There is no order: ${order.failure.cycle.map((id) => inline(nameOf(id))).join(' → ')}.`;
  }
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const groups = parallelGroups(tasks).map((ids, index) => {
    const lines = ids.flatMap((id) => byId.get(id) ?? []).map(orderLine);
    return `${index + 1}. ${lines.join('\n   ')}`;
  });
  const hint = 'Tasks of one group may run at once; each group waits for what it names.';
  return `${hint}\n\n\`\`\`text\n${groups.join('\n   │\n')}\n\`\`\``;
}

function orderLine({ id, title, depends_on: needs }: Task): string {
  const waits = needs.length === 0 ? '' : `  ← ${needs.map(plain).join(', ')}`;
  return `${plain(id)}  ${plain(title)}${waits}`;
}

function decisionsText({ design_decisions: decisions = [] }: Plan): string {
  if (decisions.length === 0) return '';
  const entries = decisions.map(({ decision, rationale, tradeoff, alternatives = [] }) =>
    [
      `- **${inline(decision)}**: ${inline(rationale)}`,
      ...(tradeoff === undefined ? [] : [`  - Trade-off: ${inline(tradeoff)}`]),
      ...alternatives.map((other) => `  - Not chosen: ${inline(other)}`),
    ].join('\n'),
  );
  return `## Decisions\n\n${entries.join('\n')}`;
}

function list(title: string, entries: readonly string[]): string {
  if (entries.length === 0) return '';
  return `## ${title}\n\n${entries.map((entry) => `- ${inline(entry)}`).join('\n')}`;
}

function nextSteps(id: string): string {
  return `## What you can do now

\`\`\`sh
conclave validate ${id}            # check the files again after you edited them
conclave review ${id}              # the plan as it stands in the files, and what changed
conclave review ${id} --approve    # approve it
\`\`\`

An edit of plan.json or of a file in .task/ after the approval makes the approval stale. This file is generated: edits here change nothing.`;
}
