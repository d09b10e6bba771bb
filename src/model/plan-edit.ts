// Defines a person's edits and comments on a plan, and the difference between two plans.
import { z } from 'zod';
import { Text, TextOrNull, Whole } from './plain-shapes.ts';
import type { Json } from './json.ts';

/** A change that a person makes to a plan; `task` is its id, and null means the plan itself. */
export type PlanEdit =
  | {
      readonly kind: 'set';
      readonly task: string | null;
      /** Names and zero-based indexes joined by dots, e.g. `files.0.path`. */
      readonly field: string;
      /** Null removes a list entry or an optional field; an index one past the end adds. */
      readonly value: Json;
    }
  /** `to` is the new position in the order, counted from 0. */
  | { readonly kind: 'move'; readonly task: string; readonly to: number }
  /** Everything that a person may write; `restores` is the number of the version that it comes from. */
  | {
      readonly kind: 'whole';
      readonly plan: Readonly<Record<string, unknown>>;
      readonly tasks: readonly Readonly<Record<string, unknown>>[];
      readonly restores?: number;
    };

/** Writes a field for people: list entries are counted from 1, e.g. `files.1.path`. */
export function fieldText(field: string): string {
  return field
    .split('.')
    .map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : name))
    .join('.');
}

/** A person’s comment on a line, on one task or, with null, on the whole plan; one on a proof goes to its author first. */
export const PlanComment = z.object({
  task: TextOrNull,
  text: Text,
  anchor: Text.optional().describe('The line that it is about; absent for no line.'),
  quote: Text.optional().describe('The text of that line when the comment was written.'),
});
export type PlanComment = z.infer<typeof PlanComment>;

/** A comment as `comments.json` keeps it. */
export const SavedComment = PlanComment.extend({
  id: Text.describe('C1, C2, …'),
  on: z.enum(['plan', 'result']),
  version: Whole.describe('The version of the plan, or the execution, that it is about.'),
  sent: Whole.nullable().describe(
    'The version, or the execution, that was made for it; null until it is sent.',
  ),
});
export type SavedComment = z.infer<typeof SavedComment>;

/** Reads a comment, which may begin with the id of its task or proof; any other colon is part of the text. */
export function commentOf(text: string, ids: readonly string[]): PlanComment {
  const proof = /^P[1-9]\d?(?=:)/.exec(text)?.[0];
  const id = ids.find((one) => text.toLowerCase().startsWith(`${one.toLowerCase()}:`)) ?? proof;
  const rest = id === undefined ? '' : text.slice(id.length + 1).trim();
  return id === undefined || rest === '' ? { task: null, text } : { task: id, text: rest };
}

/**
 * A difference between two states of a plan. `field` is as in `PlanEdit`, or `task` for a whole
 * task; `before` and `after` are one line each.
 */
export interface PlanChange {
  readonly task: string | null;
  readonly field: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly before: string | null;
  readonly after: string | null;
}
