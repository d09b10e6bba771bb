import type { TaskFile } from '../../model/task.ts';
import { tidyPath } from '../../model/repository-path.ts';
import { oneLine } from '../../model/wording.ts';
import type { PlacedTask } from './derive-order.ts';

/** A file that a derived task touches. Lines count from 1. */
export interface PlannedPath {
  readonly path: string;
  readonly action: NonNullable<TaskFile['action']>;
  readonly lines: readonly number[];
  /** A name defined at the cited line, where the evidence shows one. */
  readonly symbol: string | null;
  /** Said where the action differs from the one in the solution; else empty. */
  readonly note: string;
}

interface Evidence {
  readonly path: string;
  readonly line: number;
  readonly quote: string;
}

/**
 * The files of each task, by task id, once for each path. The tasks come in their order, so
 * that a file which exists by then is extended instead of created.
 */
export function filesByTask({
  placed,
  exists,
  evidence,
}: {
  readonly placed: readonly PlacedTask[];
  readonly exists: (path: string) => boolean;
  readonly evidence: readonly Evidence[];
}): ReadonlyMap<string, readonly PlannedPath[]> {
  const present = new Map<string, boolean>();
  return new Map(
    placed.map((task) => {
      const files = merged(task).map((file): PlannedPath => {
        const there = present.get(file.path) ?? exists(file.path);
        present.set(file.path, file.action !== 'delete');
        const extended = file.action === 'create' && there;
        return {
          ...file,
          action: extended ? 'modify' : file.action,
          symbol: symbolAt(file, evidence),
          note: extended ? 'The file exists by then, so extend it.' : '',
        };
      });
      return [task.id, files];
    }),
  );
}

interface MergedFile {
  readonly path: string;
  readonly action: PlannedPath['action'];
  readonly lines: readonly number[];
}

function merged({ origin }: PlacedTask): readonly MergedFile[] {
  const byPath = new Map<string, MergedFile>();
  for (const { file, line, action } of origin.files) {
    const path = tidyPath(file) === '' ? file : tidyPath(file);
    const known = byPath.get(path) ?? { path, action, lines: [] };
    byPath.set(path, {
      ...known,
      lines: line === undefined ? known.lines : [...known.lines, line],
    });
  }
  return [...byPath.values()];
}

const definition =
  /\b(?:function|class|interface|type|enum|struct|trait|def|fn|func|const|let|var|module)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;

function symbolAt({ path, lines }: MergedFile, evidence: readonly Evidence[]): string | null {
  const quotes = evidence
    .filter((claim) => tidyPath(claim.path) === path)
    .filter(({ line }) => lines.length === 0 || lines.some((other) => Math.abs(other - line) <= 3))
    .map(({ quote }) => definition.exec(oneLine(quote))?.[1]);
  return quotes.find((name) => name !== undefined) ?? null;
}
