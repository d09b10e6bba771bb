// Defines one check of a task, and names it.
import { z } from 'zod';
import { Count, Flag, Text, Texts } from './plain-shapes.ts';

const about = {
  describes: Text.optional(),
  criterion: Count.optional().describe('Index of the criterion that it proves.'),
};

/** A criterion that a program can run; `manual` is for people. */
export const Check = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('command'),
    argv: Texts.min(1).describe('Program and arguments; never a shell string.'),
    folder: Text.optional().describe('Where it runs; by default the root.'),
    ...about,
  }),
  z.strictObject({
    kind: z.literal('test'),
    path: Text,
    name: Text.optional(),
    ...about,
  }),
  z.strictObject({
    kind: z.literal('file'),
    path: Text,
    exists: Flag,
    ...about,
  }),
  z.strictObject({
    kind: z.literal('symbol'),
    path: Text,
    symbol: Text,
    ...about,
  }),
  z.strictObject({
    kind: z.literal('text'),
    path: Text,
    contains: Text,
    ...about,
  }),
  z.strictObject({ kind: z.literal('manual'), ...about, describes: Text }),
]);
export type Check = z.infer<typeof Check>;

/** True for a check that only looks into a file: it says the same each time, and its file is meant to change. */
export function isLook(kind: string): kind is 'file' | 'symbol' | 'text' {
  return kind === 'file' || kind === 'symbol' || kind === 'text';
}

/** True for a check that runs a program. */
export function isProgram({ kind }: { readonly kind: string }): boolean {
  return kind === 'command' || kind === 'test';
}

/** A check that needs nothing but the text of one file. */
type TextCheck = Extract<Check, { kind: 'symbol' | 'text' }>;

/** True if a file of this text passes the check. White space in a text is folded. */
export function isSaid(check: TextCheck, text: string): boolean {
  const pattern =
    check.kind === 'symbol'
      ? String.raw`(?<![\w$])${escapePattern(check.symbol)}(?![\w$])`
      : escapePattern(check.contains).replaceAll(/\s+/g, String.raw`\s+`);
  return new RegExp(pattern).test(text);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

/** The name of a check: the words of the plan, or what it looks at. */
export function checkName(check: Check): string {
  return check.describes !== undefined && check.kind !== 'command'
    ? check.describes
    : checkTarget(check);
}

/** What a check looks at, without the words of the plan. */
export function checkTarget(check: Check): string {
  switch (check.kind) {
    case 'command':
      return check.argv
        .map((word) => (plainWord.test(word) ? word : JSON.stringify(word)))
        .join(' ');
    case 'test':
      return check.name === undefined
        ? `the tests in ${check.path} pass`
        : `the tests in ${check.path} pass, “${check.name}” among them`;
    case 'file':
      return `${check.path} ${check.exists ? 'exists' : 'does not exist'}`;
    case 'symbol':
      return `${check.path} has ${check.symbol}`;
    case 'text':
      return `${check.path} contains "${check.contains}"`;
    case 'manual':
      return check.describes;
  }
}

/** A word of a command that means the same with and without a shell. */
const plainWord = /^[\w@%+=:,./-]+$/;

/** The words of a command that needs no shell; null if it needs one. */
export function plainWords(text: string): string[] | null {
  const words = text.trim().split(/\s+/);
  return words.every((word) => plainWord.test(word)) ? words : null;
}
