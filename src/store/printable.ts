import { z } from 'zod';

/** Foreign text in quotes, short and without anything that a terminal could act on. */
export function shown(text: string): string {
  return printable(JSON.stringify(shortened(text, 60)));
}

/** What zod found wrong, in one line that is safe to show. */
export function problemText(error: z.ZodError): string {
  return printable(shortened(z.prettifyError(error).replaceAll(/\s+/g, ' '), 300));
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function printable(text: string): string {
  return text.replaceAll(/[^\u{20}-\u{7e}…✖→]/gu, '?');
}
