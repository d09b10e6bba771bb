// Checks what a plan says of its proofs: each that fails today has a task, and no task touches their files.
import { isProgram } from '../../model/check.ts';
import { type Finding, blockingFinding, warningFinding } from '../../model/finding.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import type { PlanFiles } from '../../model/plan.ts';
import { checksOf } from '../../model/task.ts';
import { clause } from '../../model/wording.ts';
import { touchesOf } from './touches.ts';

/** Checks a plan with proofs; a plan without any has no findings. */
export function proofFindings({ plan, tasks }: PlanFiles): readonly Finding[] {
  const { proofs = [] } = plan;
  if (proofs.length === 0) return [];
  const byPath = new Map(proofs.map((proof) => [proof.path, proof]));
  const taken = new Set(tasks.flatMap(({ proves = [] }) => proves));
  const untaken = proofs.flatMap(({ id, sentence, state }, at) => {
    if (state === 'holds' || taken.has(id)) return [];
    return [
      blockingFinding(
        'proof-untaken',
        'plan.json',
        `/proofs/${at}`,
        `${id} fails today, and no task turns it green ("${clause(sentence)}"); name it in the proves of the task that does, or let a person drop it.`,
      ),
    ];
  });
  const touched = touchesOf(tasks).flatMap(({ task, path, pointer }) => {
    const proof = byPath.get(path);
    if (proof === undefined) return [];
    return [
      blockingFinding(
        'proof-touched',
        taskFile(task),
        `${pointer}/path`,
        `${nameOf(task)} names ${path}, the file of ${proof.id}, which nobody may change; leave it out.`,
      ),
    ];
  });
  const unproven = tasks.flatMap((task) => {
    const { id, proves = [] } = task;
    if (proves.length > 0 || checksOf(task).some(isProgram)) return [];
    return [
      warningFinding(
        'task-unproven',
        taskFile(id),
        '/proves',
        `Nothing proves ${nameOf(id)}: no proof and no check that a program runs; name one if there is any.`,
      ),
    ];
  });
  return [...untaken, ...touched, ...unproven, ...metFinding(proofs)];
}

/** If all proofs hold today, the request may be met already. */
function metFinding(proofs: NonNullable<PlanFiles['plan']['proofs']>): readonly Finding[] {
  if (proofs.some(({ state }) => state === 'fails')) return [];
  const ids = proofs.map(({ id, path }) => `${id} (${path})`).join(', ');
  return [
    warningFinding(
      'proofs-hold',
      'plan.json',
      '/proofs',
      `Every proof passes today, so the request may be met already: ${ids}; see whether anything is left to do.`,
    ),
  ];
}
