// Checks the places that a plan cites, and the targets of its changes, against the base.
import { kindOf } from '../../context/file-kinds.ts';
import { type Finding, warningFinding } from '../../model/finding.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import { tidyPath } from '../../model/repository-path.ts';
import type { Task } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import { type IsNew, leafOf, making } from './new-names.ts';
import type { PlanAtBase, PlanBase } from './plan-base.ts';
import { type Sentence, speaker } from './plan-sentences.ts';
import { type CitedPath, type UsedName, isCodeForm, namesIn, placesIn } from './cited-names.ts';

/** A plan, and which names it makes itself. */
export interface Stated extends PlanAtBase {
  readonly isNew: IsNew;
}

/** Places that are not there, or at which the name that the sentence looks for does not stand. */
export async function placeFindings(
  sentences: readonly Sentence[],
  stated: Stated,
): Promise<readonly Finding[]> {
  const cited = [...citedIn(sentences), ...referencesIn(stated.tasks)];
  const judged = await Promise.all(
    cited.map(async (one) => ({ ...one, ...(await judgePlace(one, stated)) })),
  );
  // Code of a dependency may well be there, although it is in no base.
  const missing = judged.flatMap(({ place, isMissing }) => (isMissing ? place.path : []));
  const outside = await stated.base.uncommittable([...new Set(missing)]);
  const once = new Map(
    judged
      .filter(({ why, place }) => why !== null && !outside.has(place.path))
      .map((found) => [`${found.sentence.file} ${found.place.text}`, found] as const),
  );
  return [...once.values()].map(({ sentence, place, why }) => {
    const message = `${speaker(sentence)} cites ${place.text}, but ${why}; correct the place.`;
    const { file, pointer } = sentence;
    return warningFinding({ rule: 'place-missing', file, pointer, message });
  });
}

interface Cited {
  readonly sentence: Sentence;
  readonly place: Pick<CitedPath, 'path' | 'line' | 'text'>;
  /** The name that the sentence puts right before the place. */
  readonly name: UsedName | null;
}

function citedIn(sentences: readonly Sentence[]): readonly Cited[] {
  return sentences.flatMap((sentence) => {
    const { text } = sentence;
    const places = placesIn(text);
    const names = places.length === 0 ? [] : namesIn(text);
    return places.map((place) => {
      const name = names.findLast(({ end }) => end <= place.at);
      const isNamed = name !== undefined && (isCodeForm(name.name) || name.isCall);
      const isBefore = isNamed && isBetween.test(text.slice(name.end, place.at));
      return { sentence, place, name: isBefore ? name : null };
    });
  });
}

const isBetween = /^\s*[(,:–—-]?\s*(?:(?:in|at|from|of|see)\s+)?[`"'(]?$/;

/** Files of `reference` that stand there without a line. */
function referencesIn(tasks: readonly Task[]): readonly Cited[] {
  return tasks.flatMap(({ id, reference }) =>
    (reference?.files ?? []).flatMap((text, index): Cited[] => {
      if (/[*?{}\s:<>]/.test(text) || text.endsWith('/')) return [];
      const place = { file: taskFile(id), pointer: `/reference/files/${index}` };
      const sentence = { ...place, task: id, isStep: true, text };
      return [{ sentence, place: { path: text, line: null, text }, name: null }];
    }),
  );
}

interface Verdict {
  /** The rest of a sentence that starts with "but"; null where the place is there. */
  readonly why: string | null;
  /** True where there is no such file at the base. */
  readonly isMissing: boolean;
}

const isThere: Verdict = { why: null, isMissing: false };

async function judgePlace(
  { sentence, place, name }: Cited,
  { base, touches, isNew }: Stated,
): Promise<Verdict> {
  const found = await base.find(place.path);
  if (found.kind === 'refused') return isThere;
  if (found.kind === 'missing') {
    const isMade = touches.isMade(tidyPath(place.path));
    return isMade ? isThere : await judgeShortPath(place, found.why, base);
  }
  if (touches.isChangedBefore(sentence.task, found.path)) return isThere;
  const text = await base.text(found.path);
  if (text === null || place.line === null) return isThere;
  const lines = linesOf(text);
  // The line after the last one is named by a step that appends.
  if (place.line > lines + 1) return { why: endsBefore(lines), isMissing: false };
  if (name === null || hasWord(text, name.leaf) || isNew(name.leaf, 'claim')) return isThere;
  return { why: `${name.name} is not in that file`, isMissing: false };
}

/** A path may be written without its first folders, and mean a folder. */
async function judgeShortPath(
  { path, line }: Cited['place'],
  why: string,
  base: PlanBase,
): Promise<Verdict> {
  const files = await base.files();
  const tidy = tidyPath(path);
  if (files.some((file) => file.startsWith(`${tidy}/`))) return isThere;
  const meant = files.filter((file) => file.endsWith(`/${tidy}`));
  if (meant.length === 0) return { why: `there is ${why}`, isMissing: true };
  const texts = await Promise.all(meant.map((file) => base.text(file)));
  const longest = Math.max(...texts.map((text) => (text === null ? Infinity : linesOf(text))));
  if (line === null || line <= longest + 1) return isThere;
  return { why: endsBefore(longest), isMissing: false };
}

function endsBefore(lines: number): string {
  return `that file ends with line ${lines}`;
}

function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function hasWord(text: string, word: string): boolean {
  const escaped = word.replaceAll('$', String.raw`\$`);
  return new RegExp(String.raw`(?<![\w$])${escaped}(?![\w$])`).test(text);
}

/** Targets in files that exist: a name of the code that is to be changed, or lines. */
export async function targetFindings(stated: Stated): Promise<readonly Finding[]> {
  const found = await Promise.all(
    stated.tasks.flatMap((task) =>
      (task.files ?? []).map(async (file, index) => {
        const why = await targetProblem(task, file, stated);
        if (why === null) return [];
        const message = `${nameOf(task.id)} is to change ${file.path} at ${JSON.stringify(file.target)}, but ${why}; correct the target, or say that it is new.`;
        const place = { file: taskFile(task.id), pointer: `/files/${index}/target` };
        return [warningFinding({ rule: 'target-missing', ...place, message })];
      }),
    ),
  );
  return found.flat();
}

async function targetProblem(
  { id }: Task,
  { path, action, target = '', change = '', changes = [] }: NonNullable<Task['files']>[number],
  { base, touches, isNew }: Stated,
): Promise<string | null> {
  const tidy = tidyPath(path);
  if (
    action === 'create' ||
    action === 'delete' ||
    target === '' ||
    touches.isChangedBefore(id, tidy)
  )
    return null;
  const text = kindOf(tidy) === 'data' ? null : await base.text(tidy);
  if (text === null) return null;
  const lines = [...(/^lines? ([\d, –-]+)$/.exec(target)?.[1] ?? '').matchAll(/\d+/g)].map(Number);
  const beyond = lines.filter((line) => line > linesOf(text) + 1);
  if (beyond.length > 0) return `${listed(beyond.map(String))} is beyond its end`;
  const name = targetName(target);
  if (name === null || kindOf(tidy) === 'doc' || hasWord(text, name)) return null;
  const isAdded = making.test([change, ...changes].join(' ')) || isNew(name, 'claim');
  return isAdded ? null : `${name} is not in it`;
}

/** The one name that a target consists of; null for anything else. */
function targetName(target: string): string | null {
  const [, name = '', call] =
    /^(?:(?:the|function|class|method|def|fn|func|struct|type|interface)\s+)*`?([\w$.:#]+)(\(\))?`?$/.exec(
      target.trim(),
    ) ?? [];
  const isNamed = isCodeForm(name) || call !== undefined || /^[A-Z][a-z]+[A-Z]/.test(name);
  return isNamed ? leafOf(name) : null;
}
