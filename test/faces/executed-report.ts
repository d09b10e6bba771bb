// Holds a session that was carried out in part and reviewed, as its report reads it.
import type { ReportData } from '../../src/app/read-report.ts';
import { Approval } from '../../src/model/decision.ts';
import { emptyBill } from '../../src/model/bill.ts';
import { CodeReview, ExecutionResult } from '../../src/model/execution.ts';
import { SessionState } from '../../src/model/session.ts';
import { Synthesis } from '../../src/model/synthesis.ts';
import { samplesOf } from '../helpers/samples.ts';
import { planOf, taskOf } from '../phases/planning/samples.ts';

const [result] = ExecutionResult.array().parse(samplesOf('execution-result').good);
const [codeReview] = CodeReview.array().parse(samplesOf('code-review').good);
const call = {
  key: 'round-1/propose/claude',
  agent: 'claude',
  model: 'm',
  isRun: true,
  isProgram: true,
  failed: false,
  inputTokens: 1,
  outputTokens: 2,
  costUsd: 0.1,
  startedAt: 0,
  isEstimated: false,
  ms: 1000,
};

export const tasks = [
  taskOf('TASK-001', { title: 'Add the endpoint' }),
  taskOf('TASK-002', { title: 'Say <b>so</b> in the `README`', depends_on: ['TASK-001'] }),
];

const synthesis = Synthesis.parse(samplesOf('synthesis').good[0]);
const skipped = { agent: 'gemini', category: 'cancelled', reason: 'it was cancelled' } as const;

export const executed: ReportData = {
  state: SessionState.parse(samplesOf('session-state').good[0]),
  rounds: [{ ...synthesis, unanswered: [skipped] }],
  plan: planOf(tasks.map(({ id }) => id)),
  tasks,
  reading: null,
  approval: Approval.parse(samplesOf('approval').good[0]),
  bill: emptyBill,
  calls: [call],
  result: result ?? null,
  codeReview: codeReview ?? null,
  contextPackage: null,
};
