/** The fields of an outside JSON object; what stands in them is not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

export function textOr<T extends string | null>(value: unknown, otherwise: T): string | T {
  return isString(value) ? value : otherwise;
}

/** A whole number from zero on. */
export function countOr<T extends number | null>(value: unknown, otherwise: T): number | T {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
}

/** A number from zero on. */
export function amountOr<T extends number | null>(value: unknown, otherwise: T): number | T {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise;
}
