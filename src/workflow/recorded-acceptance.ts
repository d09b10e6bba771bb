// Reads from the journal which tasks of an execution the user has accepted, and why.
import { ResultAnswer } from '../model/execution.ts';
import { isStep, steps } from '../model/steps.ts';
import type { JournalRecord } from '../store/journal.ts';

type Accepted = Exclude<ResultAnswer, boolean>['accepted'];

/** The answer with what was accepted before; a task that was done again since is not. */
export function withEarlierAccepted(answer: ResultAnswer, earlier: Accepted): ResultAnswer {
  if (Object.keys(earlier).length === 0) return answer;
  if (typeof answer === 'boolean') return { apply: answer, accepted: earlier };
  return { ...answer, accepted: { ...earlier, ...answer.accepted } };
}

/** The reasons that were given for tasks as they are now, by the id of the task. */
export function findAccepted(records: readonly JournalRecord[], number: number): Accepted {
  const { question } = steps.apply(number);
  const accepted = new Map<string, string>();
  for (const record of records) {
    if (record.type === 'voided') {
      for (const id of accepted.keys()) {
        if (record.keys.includes(steps.task(number, id).finish.key)) accepted.delete(id);
      }
    }
    if (record.type !== 'finished' || !isStep(record.key, question)) continue;
    const { data } = ResultAnswer.safeParse(record.result);
    if (data === undefined || typeof data === 'boolean') continue;
    for (const [id, because] of Object.entries(data.accepted)) accepted.set(id, because);
  }
  return Object.fromEntries(accepted);
}
