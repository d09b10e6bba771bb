// Checks the places that a plan cites, and the names that its tasks say they use, against the base.
import { linesOf } from '../../context/file-tree.ts';
import { partsOfName, placesIn } from '../../context/cited-places.ts';
import { type Finding, warningFinding } from '../../model/finding.ts';
import { nameOf, taskFile, taskWarning } from '../../model/plan-rules.ts';
import type { PlanFiles } from '../../model/plan.ts';
import { tidyPath } from '../../model/repository-path.ts';
import { shortText } from '../../model/wording.ts';
import type { PlanAtBase } from './plan-base.ts';

/** Finds statements about the base that turn out to be untrue. None of them prevents the approval of a plan. */
export async function statementFindings(plan: PlanAtBase): Promise<readonly Finding[]> {
  return [...(await placeFindings(plan)), ...(await useFindings(plan))];
}

interface Cited {
  readonly pointer: string;
  /** The id of the task; null in the overview. */
  readonly task: string | null;
  readonly path: string;
  readonly line: number | null;
  /** The place as the plan spells it. */
  readonly text: string;
}

async function placeFindings(plan: PlanAtBase): Promise<readonly Finding[]> {
  const judged = await Promise.all(
    citedIn(plan).map(async (one) => ({ ...one, why: await placeProblem(one, plan) })),
  );
  const wrong = judged.filter(({ why }) => why !== null);
  // Code of a dependency may exist although it is not in the base.
  const outside = await plan.base.uncommittable([...new Set(wrong.map(({ path }) => path))]);
  const once = new Map(
    wrong
      .filter(({ path }) => !outside.has(path))
      .map((found) => [`${found.task} ${found.text}`, found] as const),
  );
  return [...once.values()].map(({ pointer, task, text, why }) => {
    const [speaker, file] =
      task === null ? ['The plan', 'plan.json'] : [nameOf(task), taskFile(task)];
    const message = `${speaker} cites ${text}, but ${why}; correct the place.`;
    return warningFinding('place-missing', file, pointer, message);
  });
}

/**
 * Reads the texts about the present state and the steps; texts about the state afterwards cite nothing that
 * exists now.
 */
function citedIn({ plan: { summary, approach }, tasks }: PlanFiles): readonly Cited[] {
  return [
    ...placesOf({ summary, approach }, null),
    ...tasks.flatMap(({ id, description, files = [], implementation, reference, risks }) => {
      const said = files.map(({ change, changes }) => ({ change, changes }));
      const steps = { description, files: said, implementation, reference, risks };
      // A reference may name a file without a line.
      const whole = (reference?.files ?? []).flatMap((text, at): readonly Cited[] =>
        /[*?{}\s:<>]/.test(text) || text.endsWith('/')
          ? []
          : [{ task: id, pointer: `/reference/files/${at}`, path: text, line: null, text }],
      );
      return [...placesOf(steps, id), ...whole];
    }),
  ];
}

function placesOf(value: unknown, task: string | null, pointer = ''): readonly Cited[] {
  if (typeof value === 'string')
    return placesIn(value).map(({ path, line, text }) => ({ task, pointer, path, line, text }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => placesOf(one, task, `${pointer}/${key}`));
}

/** The rest of a sentence that starts with "but"; null if the place exists when the task’s turn comes. */
async function placeProblem(
  { path, line, task }: Pick<Cited, 'path' | 'line' | 'task'>,
  { base, touches }: PlanAtBase,
): Promise<string | null> {
  const found = await base.find(path);
  if (found.kind === 'refused' || (found.kind === 'missing' && touches.isMade(tidyPath(path))))
    return null;
  // The path may lack its first folders and mean a folder.
  const meant = found.kind === 'file' ? [found.path] : found.meant;
  if (meant.length === 0 && found.kind === 'missing') return `there is ${found.why}`;
  if (line === null || meant.some((file) => touches.isChangedBefore(task, file))) return null;
  const texts = await Promise.all(meant.map((file) => base.text(file)));
  const longest = Math.max(...texts.map((text) => (text === null ? Infinity : linesOf(text))));
  // A step that appends names the line after the last one.
  return line <= longest + 1 ? null : `that file ends with line ${longest}`;
}

/** Finds names that a task says it uses from a file but that are not in it when the task’s turn comes. */
async function useFindings(plan: PlanAtBase): Promise<readonly Finding[]> {
  const found = plan.tasks.flatMap(({ id, uses = [] }) =>
    uses.map(async ({ name, path }, index) => {
      const why =
        (await placeProblem({ path, line: null, task: id }, plan)) ??
        (await nameProblem({ name, path: tidyPath(path), task: id }, plan));
      if (why === null) return [];
      const says = `uses ${shortText(name)} of ${shortText(path)}, but ${why}; use what is there, or say which task adds it.`;
      return taskWarning(id, 'use-missing', `/uses/${index}`, says);
    }),
  );
  return (await Promise.all(found)).flat();
}

async function nameProblem(
  { name, path, task }: { readonly name: string; readonly path: string; readonly task: string },
  { base, touches }: PlanAtBase,
): Promise<string | null> {
  const text = touches.isChangedBefore(task, path) ? null : await base.text(path);
  const leaf = partsOfName(name.replace(/\(.*$/, '').trim()).at(-1) ?? name;
  const escaped = leaf.replace(/[^\w]/g, '\\$&');
  const isThere = new RegExp(String.raw`(?<![\w$])${escaped}(?![\w$])`).test(text ?? leaf);
  return isThere ? null : `${shortText(leaf)} is not in that file`;
}
