// Defines forms, which put a question to a person as data, and reads the answers to them.
import { z } from 'zod';
import type { Document } from './document.ts';

/** A value that a field offers. */
export const FormChoice = z.object({
  value: z.string().describe('What is typed, sent and recorded.'),
  name: z.string().describe('A short name to show for it, e.g. `Approve`.'),
  means: z.string().describe('What it means, in a few words.'),
  does: z.string().describe('What it does, as a verb phrase, e.g. `approve it as it is`.'),
  lines: z.array(z.string()).describe('Lines to read with it, e.g. a command for later.'),
});
export type FormChoice = z.infer<typeof FormChoice>;

/** What a person can say in one place of a form. */
export const FormField = z.object({
  name: z.string().describe('The key of its value in an answer.'),
  asks: z.string().describe('What it asks for, e.g. `Constraints for the plan`.'),
  lines: z.array(z.string()).describe('Lines to read before it is filled in.'),
  choices: z.array(FormChoice).describe('The values that are offered; empty for a free text.'),
  isOpen: z
    .boolean()
    .describe('True if any other text counts as well; the number of a choice then means it.'),
  isMany: z.boolean().describe('True if it takes several texts.'),
  isNeeded: z.boolean().describe('True if it may not stay empty.'),
  proposed: z.string().nullable().describe('The value that Enter alone takes; null for nothing.'),
  goesWith: z
    .array(z.string())
    .nullable()
    .describe('The values of `choice` with which it is asked for; null for all.'),
});
export type FormField = z.infer<typeof FormField>;

/** A question to a person with all of its texts. Its field `choice`, if it has one, comes first. */
export const Form = z.object({
  kind: z.enum(['clarify', 'decide', 'approve', 'execute', 'apply', 'choose']),
  name: z.string().describe('A word for the question, e.g. `Plan`.'),
  asks: z.string().describe('The question in one sentence.'),
  lines: z.array(z.string()).describe('Lines to read before the answer.'),
  fields: z.array(FormField),
  skip: z
    .record(z.string(), z.string())
    .nullable()
    .describe('The values of somebody who skips it; null if it needs an answer.'),
});
export type Form = z.infer<typeof Form>;

/** What a person filled in, by the names of the fields; what is left out counts as empty. */
export const FormValues = z.record(
  z.string(),
  z.union([z.string(), z.boolean(), z.array(z.string())]),
);
export type FormValues = z.infer<typeof FormValues>;

/** A form with the meaning of its values for the session. */
export interface FormQuestion<Answer> {
  readonly form: Form;
  /** What it is about, for faces that show more of it than lines. */
  readonly document?: Document;
  readonly answer: (values: ReadValues) => Answer;
  /** The same question as it reads once these values are filled in; absent if they change nothing. */
  readonly after?: (values: FormValues) => FormQuestion<Answer>;
}

/** Values that fit their form: trimmed, without empty ones, and only those that go with the choice. */
export interface ReadValues {
  /** The only or first text of a field; empty if there is none. */
  readonly text: (field: string) => string;
  readonly texts: (field: string) => readonly string[];
}

/** An answer in the form that the session uses, or why it is invalid. */
export type Reading<T> = { readonly answer: T } | { readonly refusal: string };

/** The word of a field that asks for yes or no, where it is `true`. */
export const yes = 'yes';

/** A field with nothing to choose from, which may stay empty. */
export function textField(name: string, asks: string, more: Partial<FormField> = {}): FormField {
  const plain = { lines: [], choices: [], isMany: false, isNeeded: false };
  return { name, asks, ...plain, isOpen: true, proposed: null, goesWith: null, ...more };
}

/** A choice; where nothing else is said, it means what it does. */
export function choiceOf(
  value: string,
  name: string,
  { does, means = does, lines = [] }: { does: string; means?: string; lines?: readonly string[] },
): FormChoice {
  return { value, name, means, does, lines: [...lines] };
}

/** The field `choice`, whose first choice is proposed. */
export function choiceField(
  asks: string,
  choices: readonly FormChoice[],
  proposed?: string,
): FormField {
  const first = proposed ?? choices[0]?.value ?? null;
  const own = { choices: [...choices], isOpen: false, isNeeded: true, proposed: first };
  return textField('choice', asks, own);
}

/** The choices of a field for a screen, the first of each name: nobody needs two words for one agent. */
export function namedChoices({ choices }: FormField): readonly FormChoice[] {
  return choices.filter(({ name }, at) => choices.findIndex((one) => one.name === name) === at);
}

/** Reads what was filled in. It is the only reader of answers, for every door. */
export function readForm<Answer>(
  { form, answer }: FormQuestion<Answer>,
  given: FormValues,
): Reading<Answer> {
  const values = new Map(Object.entries(given).map(([name, value]) => [name, textsOf(value)]));
  const choice = values.get('choice')?.[0] ?? '';
  const fields = form.fields.filter(({ goesWith }) => goesWith?.includes(choice) !== false);
  const read = new Map(
    fields.map((field) => [field.name, meantBy(values.get(field.name) ?? [], field)]),
  );
  const refusal =
    fields.map((field) => faultOf(field, read.get(field.name) ?? [])).find((why) => why !== '') ??
    [...values.keys()]
      .filter((name) => !read.has(name))
      .map((name) => strangerText(name, form, choice))[0];
  if (refusal !== undefined) return { refusal };
  const texts = (name: string) => read.get(name) ?? [];
  return { answer: answer({ texts, text: (name) => texts(name)[0] ?? '' }) };
}

/** Reads the answer of somebody who skips the question. */
export function skipForm<Answer>(question: FormQuestion<Answer>): Reading<Answer> {
  const { skip } = question.form;
  return skip === null ? { refusal: 'cannot be skipped' } : readForm(question, skip);
}

function textsOf(value: FormValues[string]): readonly string[] {
  const texts = typeof value === 'boolean' ? [value ? yes : ''] : [value].flat();
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** Takes a number for the choice with that number, where other texts count as well. */
function meantBy(texts: readonly string[], { choices, isOpen }: FormField): readonly string[] {
  if (!isOpen) return texts;
  return texts.map((text) => (/^\d$/.test(text) && choices[Number(text) - 1]?.value) || text);
}

/** Says why the texts do not fit the field; empty if they do. */
function faultOf({ name, choices, isOpen, isMany, isNeeded }: FormField, texts: readonly string[]) {
  const [first, second] = texts;
  const known = choices.map(({ value }) => value);
  const offers = `give one of: ${known.join(', ')}.`;
  const stranger = isOpen ? undefined : texts.find((text) => !known.includes(text));
  if (stranger !== undefined) {
    return name === 'choice'
      ? `"${stranger}" is not a choice here; ${offers}`
      : `"${name}" is "${stranger}", which is not offered here; ${offers}`;
  }
  if (second !== undefined && !isMany) return `"${name}" takes one text.`;
  if (first !== undefined || !isNeeded) return '';
  return known.length > 0 ? `There is no "${name}"; ${offers}` : `"${name}" is missing.`;
}

function strangerText(name: string, { fields }: Form, choice: string): string {
  const isKnown = fields.some((field) => field.name === name);
  if (isKnown) return `"${name}" does not go with "${choice}".`;
  return `There is no question "${name}"; answer one or more of ${fields.map((field) => field.name).join(', ')}.`;
}
