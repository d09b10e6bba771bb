// Checks what a plan says of the code as it is: cited places, targets, names that it takes to exist.
import { kindOf } from '../../context/file-kinds.ts';
import { stemOf } from '../../git/paths.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import { type Finding, warningFinding } from '../../model/finding.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import type { PlanFiles } from '../../model/plan.ts';
import { tidyPath } from '../../model/repository-path.ts';
import type { Task } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import type { PlanBase } from './plan-base.ts';
import {
  type CitedPlace,
  type Sentence,
  type UsedName,
  isCodeForm,
  namesIn,
  placesIn,
  sentencesOf,
} from './plan-words.ts';
import type { Touches } from './touches.ts';

/** A plan with what is needed to judge its statements. */
interface Stated extends PlanFiles {
  readonly contextPackage: ContextPackage;
  readonly base: PlanBase;
  readonly touches: Touches;
}

/** Statements about the base that it does not bear out. None of them keeps a plan from being approved. */
export async function statementFindings(stated: Stated): Promise<readonly Finding[]> {
  const sentences = sentencesOf(stated);
  const isNew = newNames(stated, sentences);
  const ofTasks = sentences.filter(({ task, isStep }) => task !== null && isStep);
  return [
    ...(await placeFindings(ofTasks, stated, isNew)),
    ...(await targetFindings(stated, isNew)),
    ...(await nameFindings(ofTasks, stated, isNew)),
  ];
}

/** Says if the plan makes the name itself; `claim` is for a name that a sentence takes to exist. */
type IsNew = (leaf: string, kind: 'claim' | 'use') => boolean;

/**
 * Whoever adds a helper says so somewhere: by a verb, a signature, a file of that name, a check for
 * the symbol. For a mere use it is enough that the name stands in a goal or in the request.
 */
function newNames({ tasks, contextPackage }: Stated, sentences: readonly Sentence[]): IsNew {
  const made = new Set<string>();
  const wanted = new Set<string>();
  const { solution, implementation_plan, task_description, feedback, clarifications } =
    contextPackage;
  const before = JSON.stringify([solution, implementation_plan]).split(/\\n|[.;]\s|"/);
  for (const text of [...before, ...sentences.map((sentence) => sentence.text)]) {
    for (const [, declared = '', signed = declared] of text.matchAll(declaration)) made.add(signed);
    if (!making.test(text)) continue;
    for (const name of namesIn(text)) {
      if (!isClaimed(name) && !using.test(name.before)) made.add(name.leaf);
    }
  }
  const goals = sentences.filter(({ isStep }) => !isStep).map(({ text }) => text);
  const request = [task_description, ...feedback, ...clarifications.map(({ answer }) => answer)];
  for (const text of [...goals, ...request]) {
    for (const { leaf } of namesIn(text)) wanted.add(leaf);
  }
  for (const { checks = [], files = [] } of tasks) {
    for (const check of checks) if (check.kind === 'symbol') made.add(leafOf(check.symbol));
    for (const { path, action, target } of files) {
      if (action === 'create') made.add(stemOf(path));
      if (target !== undefined) wanted.add(leafOf(target));
    }
  }
  return (leaf, kind) => made.has(leaf) || (kind === 'use' && wanted.has(leaf));
}

const declaration =
  /\b(?:function\*?|const|let|var|class|def|fn|func|type|interface|struct|enum|trait|val)\s+([A-Za-z_$][\w$]*)|\b([A-Za-z_$][\w$]*)\([^()`]+\)\s*(?::|->|=>)/g;

/** Words of a sentence that makes something, in the languages in which most plans are written. */
const making =
  /\b(?:add|new|creat|introduc|defin|declar|export|renam|extract|nam(?:e|ed|es|ing)\b|call(?:ed)? it|import|implement|writ|turn|becom|split|mov(?:e|ing)|provid|expos|accept|param|option|field|argument|local|variable|neu|ergänz|hinzu|anleg|erstell|einführ|nenn|ajout|nouve|cré|défin|renomm|añad|agreg|nuev)|新增|添加|新建|创建|定义|引入|实现|追加|新しい|作成/i;

function leafOf(name: string): string {
  return name.split(/\W+/).findLast((part) => part !== '') ?? name;
}

/** A sentence that takes a name to exist: “the existing X”, “reuse X”, “X already does it”, “as X does”. */
function isClaimed({ name, isCall, before, after }: UsedName): boolean {
  if (!isCodeForm(name) && !isCall && !/^[A-Z]\w*[a-z]/.test(name)) return false;
  if (existing.test(before) || /^\s+(?:already|bereits|schon)\b/i.test(after)) return true;
  return /\b(?:as|like|wie|comme)\s+$/i.test(before) && /^\s+(?:does|do|tut|macht)\b/.test(after);
}

const existing =
  /(?:\b(?:existing|reus(?:e|es|ed|ing)|re-us(?:e|es|ed|ing)|vorhanden\w*|bestehend\w*|existierend\w*|existant\w*|existente\w*)\b|现有的?|既存の?|기존)[^.`;,()]{0,30}$/i;

/** A helper that a step uses without a word on where it comes from. */
function isUsed({ name, isMarked, isCall, before }: UsedName): boolean {
  if (!isMarked || /\W/.test(name) || name in globalThis) return false;
  return (isCall || isCodeForm(name)) && using.test(before);
}

const using =
  /\b(?:calls?(?: to)?|calling|uses?|using|via|through|invokes?|delegates? to)\s+(?:the\s+)?(?:helper|function|method)?\s*$/i;

/** Names that stand nowhere in the repository, and that nothing in the plan makes. */
async function nameFindings(
  sentences: readonly Sentence[],
  { base }: Stated,
  isNew: IsNew,
): Promise<readonly Finding[]> {
  const said = sentences.flatMap((sentence) =>
    namesIn(sentence.text).flatMap((name) => {
      const kind = isClaimed(name) ? 'claim' : 'use';
      const counts = kind === 'claim' || isUsed(name);
      return counts && !isNew(name.leaf, kind) ? [{ sentence, name, kind }] : [];
    }),
  );
  const absent = await base.absent(new Set(said.map(({ name }) => name.leaf)));
  const once = Map.groupBy(
    said.filter(({ name }) => absent.has(name.leaf)),
    ({ sentence, name }) => `${sentence.file} ${name.leaf}`,
  );
  // A claim says more than a use of the same name.
  const worst = [...once.values()].flatMap(
    (found) => found.find(({ kind }) => kind === 'claim') ?? found.slice(0, 1),
  );
  return worst.map(({ sentence, name, kind }) => {
    const who = nameOf(sentence.task ?? '');
    const verb = kind === 'claim' ? `takes ${name.name} to exist` : `uses ${name.name}`;
    const message = `${who} ${verb}, but the name stands nowhere in the repository and no task adds it; name what is there, or say where it comes from.`;
    return at(sentence, kind === 'claim' ? 'name-missing' : 'name-unknown', message);
  });
}

function at({ file, pointer }: Sentence, rule: string, message: string): Finding {
  return warningFinding({ rule, file, pointer, message });
}

/** Places that are not there, or at which the name that the sentence looks for does not stand. */
async function placeFindings(
  sentences: readonly Sentence[],
  stated: Stated,
  isNew: IsNew,
): Promise<readonly Finding[]> {
  const cited = [...citedIn(sentences), ...referencesIn(stated.tasks)];
  const judged = await Promise.all(
    cited.map(async (one) => ({ ...one, ...(await judgePlace(one, stated, isNew)) })),
  );
  // What git does not commit is nobody's base, but may well be there: code of a dependency.
  const missing = judged.flatMap(({ place, isMissing }) => (isMissing ? place.path : []));
  const outside = await stated.base.uncommittable([...new Set(missing)]);
  const once = new Map(
    judged
      .filter(({ why, place }) => why !== null && !outside.has(place.path))
      .map((found) => [`${found.sentence.file} ${found.place.text}`, found] as const),
  );
  return [...once.values()].map(({ sentence, place, why }) => {
    const message = `${nameOf(sentence.task ?? '')} cites ${place.text}, but ${why}; correct the place.`;
    return at(sentence, 'place-missing', message);
  });
}

interface Cited {
  readonly sentence: Sentence;
  readonly place: Omit<CitedPlace, 'line' | 'at'> & { readonly line: number | null };
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
  { base, touches }: Stated,
  isNew: IsNew,
): Promise<Verdict> {
  const found = await base.find(place.path);
  const path = tidyPath(place.path);
  if (found.kind === 'refused' || touches.isMade(path)) return isThere;
  if (found.kind === 'missing') return await judgeShortPath(place, found.why, base);
  if (touches.isChangedBefore(sentence.task, found.path)) return isThere;
  const text = await base.text(found.path);
  if (text === null || place.line === null) return isThere;
  const lines = linesOf(text);
  // Whoever appends names the line after the last one.
  if (place.line > lines + 1) return { why: endsBefore(lines), isMissing: false };
  if (name === null || hasWord(text, name.leaf) || isNew(name.leaf, 'claim')) return isThere;
  return { why: `${name.name} does not stand in that file`, isMissing: false };
}

/** A path may be written without its first folders, and mean a folder. */
async function judgeShortPath(
  { path, line }: Cited['place'],
  why: string,
  base: PlanBase,
): Promise<Verdict> {
  const files = await base.files();
  if (files.some((file) => file.startsWith(`${tidyPath(path)}/`))) return isThere;
  const meant = files.filter((file) => file.endsWith(`/${tidyPath(path)}`));
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
async function targetFindings(stated: Stated, isNew: IsNew): Promise<readonly Finding[]> {
  const found = await Promise.all(
    stated.tasks.flatMap((task) =>
      (task.files ?? []).map(async (file, index) => {
        const why = await targetProblem(task, file, stated, isNew);
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
  { base, touches }: Stated,
  isNew: IsNew,
): Promise<string | null> {
  const tidy = tidyPath(path);
  if (action !== 'modify' || target === '' || touches.isChangedBefore(id, tidy)) return null;
  const text = kindOf(tidy) === 'data' ? null : await base.text(tidy);
  if (text === null) return null;
  const lines = [...(/^lines? ([\d, –-]+)$/.exec(target)?.[1] ?? '').matchAll(/\d+/g)].map(Number);
  const beyond = lines.filter((line) => line > linesOf(text) + 1);
  if (beyond.length > 0) return `${listed(beyond.map(String))} is beyond its end`;
  const name = targetName(target);
  if (name === null || kindOf(tidy) === 'doc' || hasWord(text, name)) return null;
  const isAdded = making.test([change, ...changes].join(' ')) || isNew(name, 'claim');
  return isAdded ? null : `${name} does not stand in it`;
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
