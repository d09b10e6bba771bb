import type { PlannedFile, ProposedSolution, SolutionTask } from '../model/proposal.ts';
import type { CheckedClaim } from '../model/synthesis.ts';
import { redactedFile } from '../model/secrets.ts';
import { bullets } from './data.ts';
import type { Neutral } from './neutral.ts';

type Claimed = ProposedSolution['claims'][number] &
  Partial<Pick<CheckedClaim, 'status' | 'found_line'>>;

/**
 * One solution for a prompt. Only what an engineer would judge: nothing says who proposed it or
 * how many stand behind it, since that draws agents to agree.
 */
export function solutionText(
  solution: Omit<ProposedSolution, 'claims'> & { readonly claims: readonly Claimed[] },
  neutral: Neutral,
): string {
  const { implementation_plan: plan, dependencies } = solution;
  return [
    `Name: ${neutral(solution.name)}`,
    `Feasibility ${solution.feasibility}, effort ${solution.effort}, risk ${solution.risk}`,
    `Summary: ${neutral(solution.summary)}`,
    `Approach: ${neutral(plan.approach)}`,
    section(
      'Tasks',
      plan.tasks.map((task) => taskLine(task, neutral)),
    ),
    `Order: ${plan.execution_flow}`,
    section('Milestones', plan.milestones.map(neutral)),
    section('Needs inside the repository', dependencies.internal),
    section('Needs from outside', dependencies.external),
    section('Concerns', solution.technical_concerns.map(neutral)),
    section('Pros', solution.pros.map(neutral)),
    section('Cons', solution.cons.map(neutral)),
    section(
      'Evidence',
      solution.claims.map((claim) => claimLine(claim, neutral)),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function taskLine(task: SolutionTask, neutral: Neutral): string {
  const after = task.depends_on.length === 0 ? '' : ` (after ${task.depends_on.join(', ')})`;
  const key = task.key_point === null ? '' : ` — ${neutral(task.key_point)}`;
  return `${task.id} ${neutral(task.name)}${after}: ${task.files.map(filePart).join(', ')}${key}`;
}

function filePart({ file, line, action }: PlannedFile): string {
  return `${action} ${file}${line === undefined ? '' : `:${line}`}`;
}

function claimLine(claim: Claimed, neutral: Neutral): string {
  const { statement, path, line, found_line: found, quote, status } = claim;
  const mark = status === undefined ? '' : ` [${status}]`;
  return `${neutral(statement)} (${path}:${found ?? line}, quote ${JSON.stringify(redactedFile(path, quote))})${mark}`;
}

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : `${title}:\n${bullets(entries)}`;
}
