import type { Result } from '../../model/failure.ts';

/** What was found, or one clause for people on why nothing was. */
export type Found<T> = Result<T, { readonly reason: string }>;

export function failed(reason: string): {
  readonly ok: false;
  readonly failure: { readonly reason: string };
} {
  return { ok: false, failure: { reason } };
}
