// Defines what an adapter may see of the user’s own setup of its CLI, and what it finds there.
import type { Isolation } from './permission.ts';

/** The part of the user’s own setup of its CLI that an adapter may look at. */
export interface UserSide {
  /** The absolute path of the user’s home. */
  readonly home: string;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** The requested model, or the one in our settings; null if nobody chose one. */
  readonly model: string | null;
  readonly isolation?: Isolation | undefined;
  /** The text of a file, by absolute path; null if it cannot be read. */
  read(path: string): string | null;
  /** The names in a folder, by absolute path; empty if it does not exist. */
  list(path: string): readonly string[];
  /** True if a file or folder exists, by absolute path. */
  has(path: string): boolean;
}

/** The login of a CLI, as far as it is known without asking a model. */
export type LoginState =
  /** There is a login or a key; only a run shows whether it is accepted. */
  | { readonly state: 'stored' }
  /** `remedy` is set if the remedy is something other than logging in. */
  | { readonly state: 'logged-out'; readonly why: string; readonly remedy?: string }
  | { readonly state: 'unknown' };

export interface OwnChoice {
  readonly model: string | null;
  readonly effort: string | null;
  readonly verbosity?: string | null;
}

/** A kind of login that a vendor refuses, with sentences for people. */
export interface UnservedLogin {
  /** Matches the vendor’s words for the refusal. */
  readonly words: RegExp;
  readonly why: string;
  readonly remedy: string;
  /** The login of this kind that a run would use, as a text that changes with it; null for another kind. */
  account(user: UserSide): string | null;
}
