// Defines a person's edits and comments on a plan, and the difference of two plans.
import { z } from 'zod';
import type { Json } from './json.ts';

/** One change that a person makes to a plan; `task` is its id, null stands for the plan itself. */
export type PlanEdit =
  | {
      readonly kind: 'set';
      readonly task: string | null;
      /** Names and indexes from 0 with dots between them, e.g. `files.0.path`. */
      readonly field: string;
      /** Null removes a list entry or an optional field; an index one past the end adds. */
      readonly value: Json;
    }
  | { readonly kind: 'delete'; readonly task: string }
  | {
      readonly kind: 'split';
      readonly task: string;
      /** One for each part; the first part keeps the content. */
      readonly titles: readonly string[];
      /** For each file of the task the index of its part; the first part keeps those not given. */
      readonly files?: readonly number[];
    }
  /** `to` is the new position in the order, counted from 0. */
  | { readonly kind: 'move'; readonly task: string; readonly to: number }
  /** `after` is the task before it; null for the start. */
  | { readonly kind: 'add'; readonly after: string | null; readonly title: string };

/** A field as a person names it: the entries of a list are counted from 1, e.g. `files.1.path`. */
export function fieldText(field: string): string {
  return field
    .split('.')
    .map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : name))
    .join('.');
}

/** A person’s comment for the planner on one task or, with null, the whole plan. */
export const PlanComment = z.object({ task: z.string().nullable(), text: z.string() });
export type PlanComment = z.infer<typeof PlanComment>;

/** A comment may begin with the id of its task; any other colon is part of the text. */
export function commentOf(text: string, ids: readonly string[]): PlanComment {
  const id = ids.find((one) => text.toLowerCase().startsWith(`${one.toLowerCase()}:`));
  const rest = id === undefined ? '' : text.slice(id.length + 1).trim();
  return id === undefined || rest === '' ? { task: null, text } : { task: id, text: rest };
}

/**
 * One difference between two states of a plan. `field` is as in `PlanEdit`, or `task` for a
 * whole task; `before` and `after` are one line each.
 */
export interface PlanChange {
  readonly task: string | null;
  readonly field: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly before: string | null;
  readonly after: string | null;
}
