/** How a task may begin before it says what is to be done: a mark, a place, a courtesy. */
const before =
  /^(?:[\s\p{P}]+|in\s[^,:\n]{1,80}[,:]\s*|(?:please|let[’']?s|can you|could you|help me|i (?:want|need|would like) (?:you )?to|we (?:must|should|need to|have to|want to))\b)+/iu;

/** What is done to code that is there already, in its plain form. */
const verbs = new Set(
  `bugfix bump clean correct debug delete deprecate downgrade drop eliminate fix mend prune purge
  rename repair resolve retire restore revert remove rollback simplify stop strip undo unify upgrade`.split(
    /\s+/,
  ),
);

/** True for a task that mends, takes away or renames: whatever is needed for it is there. */
export function changesWhatIsThere(task: string): boolean {
  const [, word = ''] = /^(\p{L}+)/u.exec(task.replace(before, '')) ?? [];
  return plainForms(word.toLowerCase()).some((form) => verbs.has(form));
}

/** `fixes`, `fixed`, `fixing` and `removing`, `dropped` as their verbs. */
function plainForms(word: string): readonly string[] {
  const stem = word.replace(/(?:ing|ed|es|s)$/, '');
  return [word, stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')];
}
