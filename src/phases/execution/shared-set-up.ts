// Holds the set-up that the work trees of an execution share.

/** The set-up that was made for the first work tree that needed one, in this process. */
export interface SharedSetUp {
  /** Its files are null if each work tree has to run the set-up itself. */
  current: { readonly key: string; readonly made: Promise<MadeFiles | null> } | null;
  /** Digests of what a set-up reads, by commit. */
  readonly keys: Map<string, Promise<string>>;
}

/** The files that a set-up made. */
export interface MadeFiles {
  /** The absolute path of the work tree that contains them. */
  readonly folder: string;
  readonly paths: readonly string[];
  readonly prepared: Prepared;
}

/** What each command of a set-up has read in a work tree, as a digest, and what it made if no tool is known for it. */
export type Prepared = readonly { readonly key: string; readonly made: readonly string[] }[];

/** Starts with nothing set up. */
export function openSharedSetUp(): SharedSetUp {
  return { current: null, keys: new Map() };
}
