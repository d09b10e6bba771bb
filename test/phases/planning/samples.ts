import type { Approval } from '../../../src/model/decision.ts';
import type { ContextPackage } from '../../../src/model/context-package.ts';
import type { Finding } from '../../../src/model/finding.ts';
import type { Plan } from '../../../src/model/plan.ts';
import type { Task } from '../../../src/model/task.ts';
import type { SolutionTask } from '../../../src/model/proposal.ts';
import type { AffectedFile } from '../../../src/model/synthesis.ts';
import { planHash } from '../../../src/phases/planning/plan-hash.ts';
import { planFindingsOf } from '../../../src/phases/planning/check-plan.ts';
import { schemaCheck } from '../../../src/store/published-schemas.ts';

const schemas = await schemaCheck({});

/** The plan check where the base has those files, of whose texts nothing is known. */
export function checkPlan({
  files,
  ...made
}: {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly contextPackage: ContextPackage;
  readonly files: readonly string[];
}): Promise<readonly Finding[]> {
  const repository = {
    root: '/nowhere',
    files: async () => files,
    exists: async (path: string) => files.includes(path),
    read: async () => null,
    uncommittable: async () => new Map(),
  };
  return planFindingsOf({ ...made, tools: { schemas, repository } });
}

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

/** The files of a small repository that the example plans a change of. */
export const exampleFiles: readonly string[] = [
  'package.json',
  'src/config/load.ts',
  'src/config/parse.ts',
  'src/cli.ts',
  'src/legacy-config.ts',
  'test/config/load.test.ts',
];

/** A solution as a discussion leaves it: every field filled. */
export const examplePackage: ContextPackage = packageOf({
  task_description: 'Cache the parsed configuration so that each command reads it once',
  solution: {
    name: 'Memoize the loader',
    source_cli: ['codex', 'gemini'],
    feasibility: 0.85,
    effort: 'medium',
    risk: 'medium',
    summary: 'Keep the parsed configuration in memory, keyed by path and modification time.',
    pros: ['One place to change'],
    cons: ['Tests have to clear the cache'],
  },
  implementation_plan: {
    approach: 'Put a cache in front of `parse` and let every caller go through the loader.',
    tasks: [
      solutionTask('T1', {
        name: 'Add the cache',
        files: [{ file: 'src/config/cache.ts', action: 'create' }],
        key_point: 'Add `configCache` keyed by path and modification time',
      }),
      solutionTask('T2', {
        name: 'Read through the cache',
        depends_on: ['T1'],
        files: [{ file: 'src/config/load.ts', line: 12, action: 'modify' }],
        key_point: 'Ask the cache before parsing',
      }),
      solutionTask('T3', {
        name: 'Remove the old copy',
        depends_on: ['T1'],
        files: [
          { file: 'src/legacy-config.ts', action: 'delete' },
          { file: 'src/cli.ts', line: 40, action: 'modify' },
        ],
        key_point: null,
      }),
      solutionTask('T4', {
        name: 'Test the cache',
        depends_on: ['T2', 'T3'],
        files: [{ file: 'test/config/cache.test.ts', action: 'create' }],
        key_point: 'A changed modification time gives a new result',
      }),
    ],
    execution_flow: 'T1 → (T2, T3) → T4',
    milestones: ['One read for each command'],
  },
  dependencies: { internal: ['src/config/parse.ts'], external: [] },
  technical_concerns: ['The modification time in cache keys has whole seconds on some systems'],
  consensus: {
    agreements: ['Both cache by path'],
    disagreements: ['gemini would clear the cache after each command'],
    resolved_conflicts: 'The modification time decides, as codex proposed',
  },
  alternatives: [
    {
      name: 'A configuration service',
      source_cli: ['gemini'],
      feasibility: 0.6,
      effort: 'high',
      risk: 'medium',
      summary: 'One object handed to all commands.',
    },
  ],
  constraints: ['No new dependency'],
  affected_files: [
    affected('src/config/cache.ts', { action: 'create', status: 'planned' }),
    affected('src/config/load.ts', { line: 12 }),
    affected('src/legacy-config.ts', { action: 'delete' }),
    affected('src/cli.ts', { line: 40, status: 'moved', note: 'found at line 44' }),
    affected('test/config/cache.test.ts', { action: 'create', status: 'planned' }),
  ],
  clarifications: [{ question: 'May the cache outlive a command?', answer: 'No.' }],
  project_facts: [{ source: 'AGENTS.md', text: 'Strict TypeScript.\nNo default exports.' }],
  build_facts: [
    { kind: 'test', value: 'npm test', folder: '', language: 'javascript', source: 'package.json' },
  ],
  uncertainty: 'No agreement after 3 of 3 rounds (score 0.62).',
});

/** As the review of a plan writes it. */
export function approvalOf(plan: Plan, tasks: readonly Task[]): Approval {
  return {
    session_id: 'MCP-x',
    plan_hash: planHash(plan, tasks),
    approved_at: now.toISOString(),
    approved_by: 'user',
    base_commit: null,
    cited_files: {},
  };
}
