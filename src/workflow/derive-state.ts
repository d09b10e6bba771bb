// Folds the journal into `session-state.json`, and keeps that file up to date.
import { z } from 'zod';
import { CodebaseContext } from '../model/context.ts';
import { Decision } from '../model/decision.ts';
import { phases } from '../model/phase.ts';
import { isDraftPlan } from '../model/plan.ts';
import { formatVersion } from '../model/id-patterns.ts';
import { RunSettings } from '../model/run-settings.ts';
import type { SessionState } from '../model/session.ts';
import { type Step, every } from '../model/step.ts';
import { isOfReading, isStep, parseStep, steps } from '../model/steps.ts';
import { Synthesis } from '../model/synthesis.ts';
import { billOf } from '../phases/asking/fold-bill.ts';
import { readResult } from '../phases/execution/read-result.ts';
import type { Journal, JournalRecord } from '../store/journal.ts';
import { foldFinishedSteps } from '../store/recorded-steps.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { stateFile } from '../store/state-file.ts';
import { RecordedEnd, type SessionEnd, findPlan, findTask } from './recorded.ts';
import { findRejection } from './review-verdicts.ts';

/** How the process that derives the state sees the session. */
type Now = 'running' | 'interrupted' | { readonly failed: string };

/** Derives `session-state.json` from the journal; null before the session’s first step. */
export async function deriveState(
  folder: SessionFolder,
  { records, bytes }: Pick<Journal, 'records' | 'bytes'>,
  now: Now,
): Promise<SessionState | null> {
  const artifacts = await artifactsIn(folder);
  const finished = foldFinishedSteps(records);
  const start = findTask(finished);
  if (start === null) return null;
  const opened = last(finished, steps.round(every).open, Opened);
  const synthesis = last(finished, steps.round(every).synthesis, Synthesis);
  const decision = last(finished, steps.decision(every), Decision);
  const end = last(finished, steps.session.end, RecordedEnd);
  const waits = waitsFor(records, finished);
  const lastKey = waits ?? [...finished.keys()].findLast(isPast);
  const lastStep = parseStep(lastKey ?? '');
  // A step that this version does not know says nothing about the phase.
  const phase = lastStep?.phase ?? 'context';
  // An execution that has not started anything leaves the plan as it was.
  const isUnbegun = phase === 'execution' && lastStep?.kind === 'question';
  const status = isUnbegun && typeof now !== 'string' ? 'done' : statusOf(end, now, waits);
  return {
    session_id: folder.id,
    task_description: start.task,
    status,
    phase,
    current_phase: Math.min(5, phases.findIndex(({ name }) => name === phase) + 1),
    current_round: synthesis?.round ?? 0,
    max_rounds: (opened?.settings ?? start.settings).max_rounds,
    waits_for: status === 'done' ? null : waits,
    end: end === null ? null : end.kind === 'left' ? 'done' : end.kind,
    failure: failureIn(end, now),
    agents: [...new Set(synthesis?.receipts.map(({ agent }) => agent) ?? opened?.seats ?? [])],
    ace_context: foundIn(last(finished, steps.context.search, Found)),
    user_decision: decisionOf(decision, synthesis),
    user_decisions: decisionsIn(finished),
    plan_rejected: findRejection(records),
    open_round: [...finished.keys()].filter((key) => isStep(key, steps.round(every).open)).length,
    is_draft: isDraftPlan(findPlan(records)?.written.plan ?? null),
    applied: (await readResult({ folder }))?.applied ?? null,
    score: synthesis?.convergence.score ?? null,
    spent: billOf(records),
    artifacts,
    created_at: start.created_at,
    updated_at: records.at(-1)?.at ?? start.created_at,
    forked_from: forkedFrom(records),
    version: formatVersion,
    journal_bytes: bytes,
  };
}

function isPast(key: string): boolean {
  return !isStep(key, steps.session.end) && !isOfReading(key);
}

const Found = CodebaseContext.pick({ relevant_files: true, detected_patterns: true });
const Opened = z.object({ seats: z.array(z.string()), settings: RunSettings });

type Finished = ReturnType<typeof foldFinishedSteps>;

/** The result of the latest finished step of this kind, if it has the shape. */
function last<T>(finished: Finished, step: Step, shape: z.ZodType<T>): T | null {
  const found = [...finished].findLast(([key]) => isStep(key, step));
  return shape.safeParse(found?.[1].result).data ?? null;
}

/** The question that was asked and has not been answered yet. */
function waitsFor(records: readonly JournalRecord[], finished: Finished): string | null {
  // Other agents may read a plan while a person is asked about it.
  const asked = records.findLast((record) => record.type === 'started' && !isOfReading(record.key));
  if (asked?.type !== 'started' || finished.has(asked.key)) return null;
  return parseStep(asked.key)?.kind === 'question' ? asked.key : null;
}

function statusOf(end: RecordedEnd | null, now: Now, waits: string | null): SessionState['status'] {
  if (end?.kind === 'left') return 'waiting';
  if (end !== null) return end.kind;
  if (typeof now !== 'string') return 'failed';
  return now === 'running' && waits !== null ? 'waiting' : now;
}

function failureIn(end: RecordedEnd | null, now: Now): SessionState['failure'] {
  if (end?.kind === 'failed') return { reason: 'failed', message: end.message };
  return typeof now === 'string' ? null : { reason: 'failed', message: now.failed };
}

function decisionOf(
  decision: Decision | null,
  synthesis: Synthesis | null,
): SessionState['user_decision'] {
  if (decision?.kind !== 'approve') return null;
  return {
    solution: synthesis?.solutions[decision.solution - 1]?.name ?? `option ${decision.solution}`,
    execution_method: decision.execution_method,
    code_review_tool: decision.code_review_tool ?? 'Skip',
    by: decision.by,
  };
}

function foundIn(context: z.infer<typeof Found> | null): SessionState['ace_context'] {
  if (context === null) return null;
  const { relevant_files: files, detected_patterns } = context;
  return { relevant_files: files.map(({ path }) => path), detected_patterns };
}

function decisionsIn(finished: Finished): SessionState['user_decisions'] {
  const decisions: SessionState['user_decisions'] = [];
  let synthesis: Synthesis | null = null;
  for (const [key, { result }] of finished) {
    if (isStep(key, steps.round(every).synthesis))
      synthesis = Synthesis.safeParse(result).data ?? null;
    if (!isStep(key, steps.decision(every))) continue;
    const { data } = Decision.safeParse(result);
    if (data === undefined) continue;
    const feedback = data.kind === 'more-analysis' ? data.feedback : '';
    const selected = decisionOf(data, synthesis)?.solution ?? feedback;
    decisions.push({ round: synthesis?.round ?? 0, decision: data.kind, selected });
  }
  return decisions;
}

function forkedFrom(records: readonly JournalRecord[]): string | null {
  const opened = records.find((record) => record.type === 'opened');
  return opened?.type === 'opened' ? opened.forked_from : null;
}

/** The time until a write, in ms: the first steps of a run follow each other closely. */
const pause = 500;

/** Keeps `session-state.json` up to date behind the chart, one write after the other. */
export function stateSaver(folder: SessionFolder, journal: Journal) {
  const file = stateFile(folder);
  let written: Promise<void> = Promise.resolve();
  let next: NodeJS.Timeout | undefined;
  return {
    /** Requests a write soon, with all that happens until then. */
    save() {
      next ??= setTimeout(() => {
        next = undefined;
        // A disk error appears at the journal first, and again at the last write.
        written = written.then(() => write('running')).catch(() => undefined);
      }, pause);
    },
    /** Writes the state at the end of the run; rejects if the disk refuses. */
    async last({ end, record, message }: SessionEnd) {
      clearTimeout(next);
      await written;
      await write(record === null && end === 'failed' ? { failed: message } : 'interrupted');
    },
  };

  async function write(now: Now): Promise<void> {
    const state = await deriveState(folder, journal, now);
    if (state !== null) await file.write(state);
  }
}

const topLevel = [
  'codebase-context.json',
  'critique.json',
  'critique/revised-plan.md',
  'context-package.json',
  'plan.json',
  'plan.md',
  'plan-reading.json',
  'approval.json',
  'execution-context.json',
  'execution-result.json',
  'code-review.json',
  'code-review.md',
  'report.html',
];

/** The files that a session has so far, relative to its folder. */
async function artifactsIn(folder: SessionFolder): Promise<string[]> {
  const [names, rounds, tasks, proofs] = await Promise.all([
    folder.list('.'),
    folder.list('rounds'),
    folder.list('.task'),
    folder.list('proof'),
  ]);
  return [
    ...topLevel.filter((name) => names.includes(name)),
    ...(proofs.includes('proof.json') ? ['proof/proof.json'] : []),
    ...rounds.map((round) => `rounds/${round}/synthesis.json`),
    ...tasks.map((task) => `.task/${task}`),
  ];
}
