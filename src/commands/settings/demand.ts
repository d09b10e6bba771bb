import type { z } from 'zod';

/** What a value must be that does not fit, in words that go on from its key. */
export function demandOf(issue: z.core.$ZodRawIssue): string {
  const found = shownValue(issue.input);
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}, not ${found}`;
    case 'too_big':
      return `must be at most ${issue.maximum}, not ${found}`;
    case 'too_small':
      if (issue.origin === 'array') return 'must name at least one';
      if (issue.origin === 'string') return 'must not be empty';
      return `must be ${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}, not ${found}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}, not ${found}`;
    case 'invalid_format':
      return `must be made of letters, digits and . _ / : @ - and not start with -; it is ${found}`;
    case 'invalid_union':
      return `must be a text, a number, true or false, or a list of texts, not ${found}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    default:
      return `does not fit: it is ${found}`;
  }
}

/** A value as TOML or JSON would show it, cut. */
export function shownValue(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : (JSON.stringify(value) ?? 'nothing');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list in brackets',
  object: 'a table',
  record: 'a table',
};
