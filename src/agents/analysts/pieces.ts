import type { PlannedFile, SolutionTask } from '../../model/proposal.ts';

/** One piece of work before it has an id. */
export interface Piece {
  readonly name: string;
  readonly files: readonly PlannedFile[];
  readonly keyPoint: string | null;
  /** Pieces that come before it; they stand earlier in the list. */
  readonly after: readonly Piece[];
}

interface OrderedTasks {
  readonly tasks: SolutionTask[];
  /** `T1, T2 → T3`: tasks with a comma between them can be done side by side. */
  readonly flow: string;
}

/** Gives the pieces ids in their order and says which go side by side. */
export function orderedTasks(pieces: readonly Piece[]): OrderedTasks {
  const ids = new Map(pieces.map((piece, index) => [piece, `T${index + 1}`]));
  const levels = new Map<Piece, number>();
  for (const piece of pieces) {
    levels.set(piece, 1 + Math.max(-1, ...piece.after.map((before) => levels.get(before) ?? 0)));
  }
  const tasks = pieces.map((piece) => ({
    id: ids.get(piece) ?? '',
    name: piece.name,
    depends_on: piece.after.map((before) => ids.get(before) ?? ''),
    files: [...piece.files],
    key_point: piece.keyPoint,
  }));
  const rows = [...Map.groupBy(pieces, (piece) => levels.get(piece) ?? 0)].toSorted(
    ([a], [b]) => a - b,
  );
  const flow = rows.map(([, row]) => row.map((piece) => ids.get(piece)).join(', ')).join(' → ');
  return { tasks, flow };
}
