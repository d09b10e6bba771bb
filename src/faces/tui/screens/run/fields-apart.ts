/** A name of a field as agents write it in their answers, where one begins. */
const field = /[{,]\s*"([a-z_]+)":\s*/g;

/** What stands around a value, or between the texts of a list, and says nothing to a person. */
const around = /^[[\]{}]*"?|"?[[\]{},]*$/g;
const between = /",\s*"/g;

/**
 * An answer is one long line of JSON. To be followed by a person, each of its fields begins a line
 * of its own; any other text stays as it is, also where it is only a part that has come so far.
 */
export function fieldsApart(text: string): string {
  const [before = '', ...parts] = text.split(field);
  if (parts.length < 4) return text;
  // A name and a value by turns.
  const lines = parts.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${plain(parts[index + 1] ?? '')}`.trimEnd()] : [],
  );
  return [plain(before), ...lines].filter((line) => line !== '').join('\n');
}

function plain(value: string): string {
  return value.trim().replaceAll(around, '').replaceAll(between, '; ');
}
