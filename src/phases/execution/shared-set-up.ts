// Holds the set-up that the work trees of an execution share.

/** Made for the first work tree that wants one, in this process. */
export interface SharedSetUp {
  /** Its files are null where each work tree has to run the set-up itself. */
  current: { readonly key: string; readonly made: Promise<MadeFiles | null> } | null;
  /** Of what a set-up reads at a commit. */
  readonly keys: Map<string, Promise<string>>;
}

/** The files that a set-up made. */
export interface MadeFiles {
  /** The work tree that holds them; absolute. */
  readonly folder: string;
  readonly paths: readonly string[];
}

/** Nothing is set up yet. */
export function openSharedSetUp(): SharedSetUp {
  return { current: null, keys: new Map() };
}
