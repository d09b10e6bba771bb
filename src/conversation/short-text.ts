// Shortens a long answer without a model.

/** Of an answer that is shown, in characters. */
export const longestShown = 20_000;

/** Head and tail of a text that is longer than may be shown, with how much is cut between them. */
export function headAndTail(text: string, longest = longestShown): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  const [head, tail] = [text.slice(0, half), text.slice(-half)];
  return `${head}\n\n[… ${text.length - 2 * half} characters are cut here …]\n\n${tail}`;
}

/** The part of an answer that its agent wrote as the summary; null where there is none. */
export function summaryBlock(text: string): string | null {
  const block = /<SUMMARY>([^]*?)<\/SUMMARY>/i.exec(text)?.[1]?.trim() ?? '';
  return block === '' ? null : block;
}
