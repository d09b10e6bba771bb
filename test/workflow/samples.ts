import type { ExecutionResult } from '../../src/model/execution.ts';
import type { RunSettings } from '../../src/model/run-settings.ts';
import type { Synthesis } from '../../src/model/synthesis.ts';
import type { WrittenPlan } from '../../src/phases/planning/generate-plan.ts';
import type { ReviewedPlan } from '../../src/phases/planning/read-plan.ts';
import { codebaseContext } from '../helpers/codebase-context.ts';

export const codebase = codebaseContext({
  session_id: 'MCP-paint-2026-01-01-aaaa',
  task_description: 'paint it',
  keywords: ['paint'],
});

export const settings: RunSettings = {
  tools: ['structure'],
  fallback_chain: [],
  mode: 'parallel',
  max_rounds: 3,
  constraints: [],
  require_convergence: false,
};

export function synthesisOf(round: number): Synthesis {
  return {
    session_id: codebase.session_id,
    round,
    solutions: [],
    convergence: {
      score: 0.5,
      new_insights: true,
      recommendation: 'continue',
      vendors: [],
      reasons: [],
    },
    cross_verification: { agreements: [], disagreements: [], resolution: '' },
    clarification_questions: [],
    agents_questions: [],
    receipts: [],
    unanswered: [],
    absent: [],
    compared: [],
    remarks: [],
    assumptions: [],
    replies: [],
    search_terms: [],
    notes: [],
  };
}

export const writtenPlan: WrittenPlan = {
  plan: {
    summary: 'Paint it',
    approach: 'With a brush',
    task_ids: ['TASK-001'],
    task_count: 1,
    _metadata: {
      timestamp: '2026-01-01T00:00:00.000Z',
      source: 'direct-planning',
      plan_type: 'collaborative',
    },
  },
  tasks: [],
  findings: [],
  source: 'derived',
  version: 1,
  before: null,
};

export const reviewedPlan: ReviewedPlan = {
  plan: writtenPlan.plan,
  tasks: [],
  findings: [],
  hash: 'f'.repeat(64),
};

export const executionResult: ExecutionResult = {
  executionId: 'MCP-paint-2026-01-01-aaaa/1',
  status: 'completed',
  tasksSummary: '0 of 0 tasks completed',
  completionSummary: 'Paint it',
  keyOutputs: [],
  notes: [],
  fixedCliId: null,
  number: 1,
  start: 'start',
  commit: 'start',
  branch: null,
  carried: [],
  tasks: [],
  conflicts: [],
  applied: null,
};
