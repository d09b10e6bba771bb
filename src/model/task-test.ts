// Derives the `test` of a task file, which other tools read, from its checks.
import { checkTarget, plainWords } from './check.ts';
import { type Task, checksOf } from './task.ts';

/** The commands of its checks, one per line, as `test.commands` repeats them for other tools. */
function commandLines({ checks = [] }: Pick<Task, 'checks'>): string[] {
  return [...new Set(checks.flatMap((one) => (one.kind === 'command' ? checkTarget(one) : [])))];
}

/** The task as its file holds it: `test.commands` is derived from the checks. */
export function withTest(task: Task): Task {
  return { ...task, test: { ...task.test, commands: commandLines(task) } };
}

/**
 * The task of an answer: its test commands become checks, and those that need a shell are left to a
 * person.
 */
export function withTestChecks(task: Task): Task {
  const own = commandLines(task);
  const manual = Object.values(task.test?.commands ?? {}).flatMap((line) =>
    plainWords(line) === null && !own.includes(line) ? `Run: ${line}` : [],
  );
  const byHand = [...(task.test?.manual_checks ?? []), ...manual];
  const test = { ...task.test, ...(byHand.length !== 0 && { manual_checks: byHand }) };
  const checks = [...checksOf(task)];
  return withTest({ ...task, ...(checks.length !== 0 && { checks }), test });
}

/** True if `test.commands` contradicts the checks; without checks it counts instead of them. */
export function hasOtherCommands({ checks, test }: Pick<Task, 'checks' | 'test'>): boolean {
  if (checks === undefined || test?.commands === undefined) return false;
  const [own, given] = [commandLines({ checks }), Object.values(test.commands)];
  return own.toSorted().join('\n') !== given.toSorted().join('\n');
}
