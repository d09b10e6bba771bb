import type { SeenFile } from './seen-file.ts';

/** What spares git the contents of many files. */
export interface Sparing {
  readonly scratch: string;
  differing(
    files: readonly {
      readonly path: string;
      readonly mark: `blob ${string}`;
      readonly seen: SeenFile;
    }[],
  ): Promise<readonly unknown[] | null>;
}
