// Checks the places that a plan cites, and the names that its tasks say they use, against the base.
import { linesOf } from '../../context/file-tree.ts';
import { partsOfName, placesIn } from '../../context/cited-places.ts';
import { type Finding, warningFinding } from '../../model/finding.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import type { PlanFiles } from '../../model/plan.ts';
import { tidyPath } from '../../model/repository-path.ts';
import type { Task } from '../../model/task.ts';
import { shortText } from '../../model/wording.ts';
import type { PlanAtBase } from './plan-base.ts';

/** Finds statements about the base that turn out to be untrue. None of them prevents the approval of a plan. */
export async function statementFindings(plan: PlanAtBase): Promise<readonly Finding[]> {
  return [...(await placeFindings(plan)), ...(await useFindings(plan))];
}

interface Cited {
  /** The file that cites the place, relative to the session folder. */
  readonly file: string;
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
    citedIn(plan).map(async (one) => ({ ...one, ...(await judgePlace(one, plan)) })),
  );
  // Code of a dependency may exist although it is not in the base.
  const missing = judged.flatMap(({ path, isMissing }) => (isMissing ? path : []));
  const outside = await plan.base.uncommittable([...new Set(missing)]);
  const once = new Map(
    judged
      .filter(({ why, path }) => why !== null && !outside.has(path))
      .map((found) => [`${found.file} ${found.text}`, found] as const),
  );
  return [...once.values()].map(({ file, pointer, task, text, why }) => {
    const speaker = task === null ? 'The plan' : nameOf(task);
    return warningFinding(
      'place-missing',
      file,
      pointer,
      `${speaker} cites ${text}, but ${why}; correct the place.`,
    );
  });
}

/**
 * Reads the texts about the present state and the steps; texts about the state afterwards cite nothing that
 * exists now.
 */
function citedIn({ plan, tasks }: PlanFiles): readonly Cited[] {
  const { summary, approach } = plan;
  return [
    ...placesOf({ summary, approach }, { file: 'plan.json', task: null }),
    ...tasks.flatMap((task) => {
      const { id, description, files = [], implementation, reference, risks } = task;
      const said = files.map(({ change, changes }) => ({ change, changes }));
      const steps = { description, files: said, implementation, reference, risks };
      const place = { file: taskFile(id), task: id };
      return [...placesOf(steps, place), ...referencesIn(task, place)];
    }),
  ];
}

type Speaker = Pick<Cited, 'file' | 'task'>;

function placesOf(value: unknown, speaker: Speaker, pointer = ''): readonly Cited[] {
  if (typeof value === 'string')
    return placesIn(value).map(({ path, line, text }) => ({
      ...speaker,
      pointer,
      path,
      line,
      text,
    }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => placesOf(one, speaker, `${pointer}/${key}`));
}

/** The files in `reference` that are named without a line. */
function referencesIn({ reference }: Task, speaker: Speaker): readonly Cited[] {
  return (reference?.files ?? []).flatMap((text, index) =>
    /[*?{}\s:<>]/.test(text) || text.endsWith('/')
      ? []
      : [{ ...speaker, pointer: `/reference/files/${index}`, path: text, line: null, text }],
  );
}

interface Judged {
  /** The rest of a sentence that starts with "but"; null if the place exists. */
  readonly why: string | null;
  /** True if the base has no such file. */
  readonly isMissing: boolean;
}

const isThere: Judged = { why: null, isMissing: false };

async function judgePlace(
  { path, line, task }: Pick<Cited, 'path' | 'line' | 'task'>,
  { base, touches }: Pick<PlanAtBase, 'base' | 'touches'>,
): Promise<Judged> {
  const found = await base.find(path);
  const tidy = tidyPath(path);
  if (found.kind === 'refused' || (found.kind === 'missing' && touches.isMade(tidy)))
    return isThere;
  // The path may lack its first folders and mean a folder.
  const meant = found.kind === 'file' ? [found.path] : found.meant;
  if (meant.length === 0 && found.kind === 'missing')
    return { why: `there is ${found.why}`, isMissing: true };
  if (line === null || meant.some((file) => touches.isChangedBefore(task, file))) return isThere;
  const texts = await Promise.all(meant.map((file) => base.text(file)));
  const longest = Math.max(...texts.map((text) => (text === null ? Infinity : linesOf(text))));
  // A step that appends names the line after the last one.
  return line <= longest + 1
    ? isThere
    : { why: `that file ends with line ${longest}`, isMissing: false };
}

/** Finds names that a task says it uses from a file but that are not in it when the task’s turn comes. */
async function useFindings(plan: PlanAtBase): Promise<readonly Finding[]> {
  const found = await Promise.all(
    plan.tasks.flatMap(({ id, uses = [] }) =>
      uses.map(async ({ name, path }, index) => {
        const why = await useProblem({ name, path, task: id }, plan);
        if (why === null) return [];
        return [
          warningFinding(
            'use-missing',
            taskFile(id),
            `/uses/${index}`,
            `${nameOf(id)} uses ${shortText(name)} of ${shortText(path)}, but ${why}; use what is there, or say which task adds it.`,
          ),
        ];
      }),
    ),
  );
  return found.flat();
}

async function useProblem(
  { name, path, task }: { readonly name: string; readonly path: string; readonly task: string },
  { base, touches }: PlanAtBase,
): Promise<string | null> {
  const { why } = await judgePlace({ path, line: null, task }, { base, touches });
  if (why !== null) return why;
  const tidy = tidyPath(path);
  const text = touches.isChangedBefore(task, tidy) ? null : await base.text(tidy);
  const leaf = partsOfName(name.replace(/\(.*$/, '').trim()).at(-1) ?? name;
  return text === null || hasWord(text, leaf) ? null : `${shortText(leaf)} is not in that file`;
}

function hasWord(text: string, word: string): boolean {
  const escaped = word.replace(/[^\w]/g, '\\$&');
  return new RegExp(String.raw`(?<![\w$])${escaped}(?![\w$])`).test(text);
}
