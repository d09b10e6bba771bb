import type { ContextPackage } from '../../../src/model/context-package.ts';
import type { Finding } from '../../../src/model/finding.ts';
import type { Plan } from '../../../src/model/plan.ts';
import type { Task } from '../../../src/model/task.ts';
import type { SolutionTask } from '../../../src/model/proposal.ts';
import type { AffectedFile } from '../../../src/model/synthesis.ts';

export const now = new Date('2026-11-21T08:00:00.000Z');

export function solutionTask(id: string, over: Partial<SolutionTask> = {}): SolutionTask {
  return { id, name: `Do ${id}`, depends_on: [], files: [], key_point: null, ...over };
}

export function affected(file: string, over: Partial<AffectedFile> = {}): AffectedFile {
  return { file, line: null, action: 'modify', status: 'verified', note: '', ...over };
}

export function packageOf(over: Partial<ContextPackage> = {}): ContextPackage {
  return {
    session_id: 'MCP-cache-2026-11-21-ab12',
    task_description: 'Cache the parsed configuration',
    solution: {
      name: 'Memoize the loader',
      source_cli: ['codex'],
      feasibility: 0.8,
      effort: 'low',
      risk: 'low',
      summary: 'Keep the parsed configuration in memory.',
    },
    implementation_plan: {
      approach: 'Memoize by path and modification time.',
      tasks: [solutionTask('T1', { files: [{ file: 'src/load.ts', line: 12, action: 'modify' }] })],
      execution_flow: 'T1',
      milestones: [],
    },
    dependencies: { internal: [], external: [] },
    technical_concerns: [],
    consensus: { agreements: [], resolved_conflicts: '' },
    constraints: [],
    affected_files: [],
    clarifications: [],
    feedback: [],
    project_facts: [],
    uncertainty: null,
    ...over,
  };
}

export function withTasks(
  tasks: SolutionTask[],
  flow = '',
  over: Partial<ContextPackage> = {},
): ContextPackage {
  const { implementation_plan: plan } = packageOf();
  return packageOf({ implementation_plan: { ...plan, tasks, execution_flow: flow }, ...over });
}

export function taskOf(id: string, over: Partial<Task> = {}): Task {
  return {
    id,
    title: `Task ${id}`,
    description: 'Does one thing.',
    depends_on: [],
    convergence: { criteria: ['`src/load.ts` exports `load`.'] },
    ...over,
  };
}

export function planOf(taskIds: string[], over: Partial<Plan> = {}): Plan {
  return {
    summary: 'A summary.',
    approach: 'An approach.',
    task_ids: taskIds,
    task_count: taskIds.length,
    _metadata: { timestamp: now.toISOString(), source: 'direct-planning', plan_type: 'feature' },
    ...over,
  };
}

/** What matters of findings in most tests. */
export function short(findings: readonly Finding[]): string[] {
  return findings.map(
    ({ severity, rule, file, pointer }) => `${severity} ${rule} ${file}${pointer}`,
  );
}
