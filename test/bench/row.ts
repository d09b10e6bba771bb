/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly measured: string;
  /** What it is held against, measured in the same run. */
  readonly floor: string;
  readonly ratio: string;
  readonly limit: string;
  /** Null for a line that is only there to be read. */
  readonly ok: boolean | null;
}

export interface Effort {
  /** Measure less often: enough to see a limit missed by far. */
  readonly short: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  if (high === undefined) throw new Error('no values');
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2;
}

/** A row for a figure that must stay at or under `limit` times its floor. */
export function atMost(row: {
  readonly name: string;
  readonly value: number;
  readonly floor: number;
  readonly floorName: string;
  readonly limit: number;
  readonly unit: string;
}): Row {
  const ratio = row.value / row.floor;
  return {
    name: row.name,
    measured: `${row.value.toFixed(1)} ${row.unit}`,
    floor: `${row.floor.toFixed(1)} ${row.unit} ${row.floorName}`,
    ratio: ratio.toFixed(2),
    limit: `<= ${row.limit}`,
    ok: ratio <= row.limit,
  };
}
