/** How a task may begin before it says what is to be done: a mark, a place, a courtesy. */
const before =
  /^(?:[\s\p{P}]+|in\s[^,:\n]{1,80}[,:]\s*|(?:please|let[’']?s|can you|could you|help me|i (?:want|need|would like) (?:you )?to|we (?:must|should|need to|have to|want to))\b)+/iu;

/** The place or kind of a change before what is to be done, e.g. `rls:` or `feat(jsx/dom)!:`. */
const scope = /^[\p{L}\d][\p{L}\d_./-]*(?:\([^()\n]{0,80}\))?!?:\s+/u;

/** What is done to code that is there already, in its plain form. */
const verbs = new Set(
  `avoid bugfix bump change clean correct cover debug decrease delete deprecate document downgrade
  drop eliminate explain fix improve increase inline lower mend migrate move optimise optimize perf
  prevent prune purge reduce refactor rename reorder repair replace resolve retire restore revert
  remove rewrite rollback shorten simplify stop strip test tidy tighten tweak undo unify update
  upgrade`.split(/\s+/),
);

/** True for a task that mends, takes away or alters: whatever is needed for it is there. */
export function changesWhatIsThere(task: string): boolean {
  return withoutPreamble(task).some(beginsSo);
}

/** The task from where it says what is done: without a courtesy or a place, and without its scope. */
export function withoutPreamble(task: string): readonly string[] {
  const text = task.replace(before, '');
  return [text, text.replace(scope, '').replace(before, '')];
}

function beginsSo(text: string): boolean {
  const [, word = ''] = /^(\p{L}+)/u.exec(text) ?? [];
  return plainForms(word.toLowerCase()).some((form) => verbs.has(form));
}

/** `fixes`, `fixed`, `fixing` and `removing`, `dropped` as their verbs. */
function plainForms(word: string): readonly string[] {
  const stem = word.replace(/(?:ing|ed|es|s)$/, '');
  return [word, stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')];
}
