// Defines one finding of the plan check or of `conclave validate`.
import { z } from 'zod';
import { Text } from './plain-shapes.ts';

/** A finding of the plan check or of `conclave validate`. */
export const Finding = z.object({
  severity: z.enum(['blocking', 'warning']),
  rule: Text,
  file: Text.describe('Relative to the session folder.'),
  pointer: Text.describe('JSON pointer into that file; empty for the whole file.'),
  message: Text,
});
export type Finding = z.infer<typeof Finding>;

/** Makes a finding that keeps a plan from being approved. */
export function blockingFinding(
  rule: string,
  file: string,
  pointer: string,
  message: string,
): Finding {
  return { severity: 'blocking', rule, file, pointer, message };
}

/** Makes a finding that only warns. */
export function warningFinding(...found: Parameters<typeof blockingFinding>): Finding {
  return { ...blockingFinding(...found), severity: 'warning' };
}

/** What is wrong, for a reader: the advice to its author follows the last semicolon and is left out. */
export function factText({ message }: Pick<Finding, 'message'>): string {
  return message.replace(/; [^;]*\.$/, '.');
}

/** The message of a finding after its file, unless the message names the file itself. */
export function findingText({ file, message }: Pick<Finding, 'file' | 'message'>): string {
  const fact = factText({ message });
  return fact.includes(file) ? fact : `${file}: ${fact}`;
}

/** Findings that keep a plan from being approved. */
export function blockingIn({ findings }: { readonly findings: readonly Finding[] }): Finding[] {
  return findings.filter(({ severity }) => severity === 'blocking');
}
