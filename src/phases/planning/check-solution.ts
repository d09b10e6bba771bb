// Compares a plan with the order and the key points of its solution.
import { wordsNamed } from '../../context/cited-places.ts';
import { cleanText } from '../../model/clean-text.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import { type Finding, warningFinding } from '../../model/finding.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import type { SolutionTask } from '../../model/proposal.ts';
import type { Task } from '../../model/task.ts';
import { ancestry } from '../../model/task-order.ts';
import { oneLine } from '../../model/wording.ts';
import { topicWords } from '../topic-words.ts';

/** The tasks of the solution that a task says it carries out, e.g. `T1` and `T3`. */
export function originsOf({
  source,
}: {
  readonly source?: { readonly original_id?: string | undefined } | undefined;
}): readonly string[] {
  return source?.original_id?.match(/T\d{1,3}/g) ?? [];
}

/** The tasks of a plan with the solution that they carry out. */
interface Carried {
  readonly tasks: readonly Task[];
  readonly contextPackage: Pick<ContextPackage, 'implementation_plan'>;
}

/** Warns about tasks in reversed order and about missing key points. */
export function solutionFindings(carried: Carried): readonly Finding[] {
  return [...orderFindings(carried), ...keyPointFindings(carried)];
}

function orderFindings({ tasks, contextPackage }: Carried): readonly Finding[] {
  const comesAfter = ancestry(tasks);
  const stages = stagesOf(contextPackage.implementation_plan.execution_flow);
  // A circle is reported by a finding of its own.
  if (comesAfter === null || stages.size < 2) return [];
  const placed = tasks.flatMap((task) => {
    const own = originsOf(task).flatMap((origin) => stages.get(origin) ?? []);
    return own.length === 0 ? [] : [{ ...task, first: Math.min(...own), last: Math.max(...own) }];
  });
  return placed.flatMap((task) =>
    placed
      .filter((other) => task.last < other.first && task.depends_on.includes(other.id))
      .map((other) => {
        return warningFinding(
          'order-turned',
          taskFile(task.id),
          '/depends_on',
          `${nameOf(task.id)} waits for ${nameOf(other.id)}, but the solution has them the other way round: ${flowText(contextPackage)}; change depends_on, or say in design_decisions why the order is another one.`,
        );
      }),
  );
}

function flowText({ implementation_plan: { execution_flow: flow } }: Carried['contextPackage']) {
  return oneLine(cleanText(flow)).slice(0, 200);
}

/** The stage of each task in a flow such as `T1 → (T2, T3) → T4`; empty if the flow has another form. */
function stagesOf(flow: string): ReadonlyMap<string, number> {
  const stages = flow.split(/→|⇒|->|=>|\bthen\b/i);
  const isPlain = stages.every((stage) =>
    /^[\s()[\]]*T\d{1,3}(?:[\s()[\]]*(?:,|\+|&|\||\/|and|\|\|)?[\s()[\]]*T\d{1,3})*[\s()[\].]*$/.test(
      stage,
    ),
  );
  const isNested =
    stages.length > 1 && stages.some((stage) => count(stage, '(') !== count(stage, ')'));
  if (!isPlain || isNested) return new Map();
  const found = stages.flatMap((stage, at) =>
    (stage.match(/T\d{1,3}/g) ?? []).map((id) => [id, at] as const),
  );
  const isOnce = new Set(found.map(([id]) => id)).size === found.length;
  return isOnce ? new Map(found) : new Map();
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

function keyPointFindings({ tasks, contextPackage }: Carried): readonly Finding[] {
  return contextPackage.implementation_plan.tasks.flatMap((origin) => {
    const carrying = tasks.filter((task) => originsOf(task).includes(origin.id));
    const [first] = carrying;
    const names = namesOfPoint(origin);
    const said = JSON.stringify(carrying).toLowerCase();
    if (first === undefined || names.length === 0) return [];
    if (names.some((name) => said.includes(name)) || saysNearlyAll(said, origin)) return [];
    const point = oneLine(cleanText(origin.key_point ?? '')).slice(0, 200);
    return [
      warningFinding(
        'key-point-lost',
        taskFile(first.id),
        '/description',
        `${nameOf(first.id)} carries out ${origin.id} of the solution and names nothing of its key point: "${point}"; let the task do it, or say in design_decisions why not.`,
      ),
    ];
  });
}

/** True if the task contains nearly all words of the key point, even without its names. */
function saysNearlyAll(said: string, { key_point: point }: SolutionTask): boolean {
  const words = new Set(topicWords((point ?? '').slice(0, longestPoint)));
  const there = new Set(topicWords(said));
  return words.size > 2 && [...words].filter((word) => there.has(word)).length >= 0.8 * words.size;
}

/** The longest key point that is read, in characters. */
const longestPoint = 2_000;

/** Lists the names in a key point, in lower case and as JSON escapes them. */
function namesOfPoint({ key_point: point }: SolutionTask): readonly string[] {
  const found = wordsNamed((point ?? '').slice(0, longestPoint));
  return found.map((name) => JSON.stringify(name.trim()).slice(1, -1).toLowerCase());
}
