// Reads JSON that may be damaged or missing.
import type { z } from 'zod';

export type Json = z.infer<ReturnType<typeof z.json>>;

/** Parses a text as JSON; undefined if it is not JSON. */
export function jsonIn(text: string): Json | undefined {
  try {
    const parsed: Json = JSON.parse(text);
    return parsed;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reads JSON of a shape; null if it is missing, damaged or of another shape. */
export function readAs<T>(shape: z.ZodType<T>, text: string | null): T | null {
  return text === null ? null : (shape.safeParse(jsonIn(text)).data ?? null);
}

/** True for an object with named fields: not null, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
