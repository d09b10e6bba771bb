/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  const [last = 'nobody', ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}

/** The verb in the form that fits one or several subjects. */
export function verb(subjects: readonly string[], stem: string): string {
  return subjects.length === 1 ? `${stem}s` : stem;
}

/** A text as a part of a sentence: on one line, without a full stop, at most 200 characters. */
export function oneLine(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[.;]+$/, '');
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
