/**
 * Puts text from users, repositories and agents between delimiters that carry a nonce, so that
 * nothing inside can close them. The nonce is random for each prompt, at least eight letters or
 * digits; text that contains it all the same loses it.
 */
export function fenced(nonce: string, label: string, text: string): string {
  if (!/^[A-Za-z0-9]{8,}$/.test(nonce)) throw new Error(`"${nonce}" is no nonce for a prompt.`);
  const body = text.trim() === '' ? '(none)' : text.replaceAll(nonce, '[removed]');
  return `<<<${nonce} ${label}\n${body}\n${nonce}>>>`;
}

/** A list for a prompt: one `- ` line each, line breaks inside an entry indented. */
export function bullets(entries: readonly string[]): string {
  return entries.map((entry) => `- ${entry.trim().replaceAll('\n', '\n  ')}`).join('\n');
}
