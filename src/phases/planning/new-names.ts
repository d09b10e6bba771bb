// Says which names a plan makes itself, and which it takes to exist.
import { stemOf } from '../../git/paths.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { PlanFiles } from '../../model/plan.ts';
import type { Sentence } from './plan-sentences.ts';
import { type UsedName, isCodeForm, namesIn } from './cited-names.ts';

/** Says if the plan makes the name itself; `claim` is for a name that a sentence takes to exist. */
export type IsNew = (leaf: string, kind: 'claim' | 'use') => boolean;

/**
 * A plan that adds a helper says so somewhere: by a verb, a signature, a file of that name, a check for
 * the symbol. For a mere use it is enough that the name stands in a goal or in the request.
 */
export function newNames(
  { tasks, contextPackage }: PlanFiles & { readonly contextPackage: ContextPackage },
  sentences: readonly Sentence[],
): IsNew {
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
    for (const { path, action, target = '', change = '' } of files) {
      wanted.add(leafOf(target));
      if (action !== 'create') continue;
      for (const name of [stemOf(path), leafOf(target)]) made.add(name);
      for (const { leaf } of namesIn(change)) made.add(leaf);
    }
  }
  return (leaf, kind) => made.has(leaf) || (kind === 'use' && wanted.has(leaf));
}

const declaration =
  /\b(?:function\*?|const|let|var|class|def|fn|func|type|interface|struct|enum|trait|val)\s+([A-Za-z_$][\w$]*)|\b([A-Za-z_$][\w$]*)\([^()`]+\)\s*(?::|->|=>)/g;

/** Words of a sentence that makes something, in the languages in which most plans are written. */
export const making =
  /\b(?:add|new|creat|introduc|defin|declar|export|renam|extract|nam(?:e|ed|es|ing)\b|call(?:ed)? it|import|implement|writ|turn|becom|split|mov(?:e|ing)|provid|expos|accept|param|option|field|argument|local|variable|neu|ergänz|hinzu|anleg|erstell|einführ|nenn|ajout|nouve|cré|défin|renomm|añad|agreg|nuev)|新增|添加|新建|创建|定义|引入|实现|追加|新しい|作成/i;

export function leafOf(name: string): string {
  return name.split(/\W+/).findLast((part) => part !== '') ?? name;
}

/** A sentence that takes a name to exist: “the existing X”, “reuse X”, “X already does it”, “as X does”. */
export function isClaimed({ name, isCall, before, after }: UsedName): boolean {
  if (!isCodeForm(name) && !isCall && !/^[A-Z]\w*[a-z]/.test(name)) return false;
  if (existing.test(before) || existingAfter.test(after)) return true;
  return /\b(?:as|like|wie|comme)\s+$/i.test(before) && /^\s+(?:does|do|tut|macht)\b/.test(after);
}

const existing =
  /(?:\b(?:existing|follow(?:s|ing)?|mirror(?:s|ing)?|reus(?:e|es|ed|ing)|re-us(?:e|es|ed|ing)|vorhanden\w*|bestehend\w*|existierend\w*|existant\w*|existente\w*)\b|现有的?|既存の?|기존)[^.`;,()]{0,30}$/i;

/** “X already does it”, “X from src/x.ts”. */
const existingAfter =
  /^\s+(?:(?:already|bereits|schon)\b|from\s+[`"']?[\w@./-]*\w\.[A-Za-z]{1,4}\b)/i;

/** A helper that a step uses without a word on where it comes from. */
export function isUsed({ name, isMarked, isCall, before }: UsedName): boolean {
  if (
    !isMarked ||
    /\W/.test(name.replace(/^(?:self|this)\./, '')) ||
    name in globalThis ||
    /\b(?:not|no longer|never)\b|n['’]t\b/.test(before)
  ) {
    return false;
  }
  return (isCall || isCodeForm(name)) && using.test(before);
}

const using =
  /\b(?:(?:calls?(?: to)?|calling|uses?|using|via|through|invokes?|delegates? to)\s+(?:the\s+)?(?:helper|function|method)?|the\s+(?:helper|function|method|class|hook))\s*$/i;
