// Defines the port `Confinement`: commands that may write only where they work.

/** A place that a confined command does not see: a file is empty to it, a folder has nothing in it. */
export interface HiddenPlace {
  /** Absolute, without links. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** The bounds of one command. All paths are absolute, without links, and there. */
export interface Bounds {
  /** It may write there, and nowhere else. */
  readonly writable: readonly string[];
  readonly hidden: readonly HiddenPlace[];
  /** Holds its temporary files. */
  readonly temporary: string;
  /** That folder stands in the place of this one, which others use too; null where it cannot. */
  readonly insteadOf: string | null;
}

/** A means of the system that holds a command and all that it starts to its bounds. */
export interface Confinement {
  /** For people, e.g. `bubblewrap`. */
  readonly name: string;
  /** False where nobody of us has tried it. */
  readonly isTried: boolean;
  /** The command that runs another one within bounds. */
  argv(command: readonly string[], bounds: Bounds): readonly string[];
}
