/**
 * The user’s editor as words, e.g. `code --wait`; null where none is set. Quotes and backslashes
 * keep a space in a word as they do in a shell; nothing else of a shell is understood.
 */
export function editorWords(environment: {
  readonly VISUAL?: string | undefined;
  readonly EDITOR?: string | undefined;
}): readonly string[] | null {
  const line = [environment.VISUAL, environment.EDITOR].find((one) => (one ?? '').trim() !== '');
  const words = (line ?? '').match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g) ?? [];
  return words.length === 0 ? null : words.map(unquoted);
}

function unquoted(word: string): string {
  return word.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g, (_, double, single, escaped) =>
    String(single ?? escaped ?? String(double).replaceAll(/\\(["\\$`])/g, '$1')),
  );
}
