import { describe, expect, test } from 'vitest';
import {
  type Form,
  type FormQuestion,
  type FormValues,
  choiceField,
  choiceOf,
  readForm,
  skipForm,
  textField,
} from '../../src/model/form.ts';

const choices = ['take', 'leave'].map((word) => choiceOf(word, word, { does: `${word} it` }));
const form: Form = {
  kind: 'choose',
  name: 'Toy',
  asks: 'Which toy?',
  lines: [],
  fields: [
    choiceField('Toy', choices),
    textField('why', 'Why?', { isNeeded: true, goesWith: ['leave'] }),
    textField('wishes', 'Wishes', { isMany: true, goesWith: ['take'] }),
    textField('colour', 'Which colour?', { choices: [choiceOf('red', 'Red', { does: 'paint' })] }),
  ],
  skip: { choice: 'leave', why: 'skipped' },
};
const names = ['choice', 'why', 'wishes', 'colour'];
const question: FormQuestion<readonly (readonly string[])[]> = {
  form,
  answer: ({ texts }) => names.map(texts),
};
const read = (values: FormValues) => readForm(question, values);

describe('a form', () => {
  test('is read by its fields, without blanks and empty texts', () => {
    expect(read({ choice: 'take', wishes: [' big ', '', 'soft'] })).toEqual({
      answer: [['take'], [], ['big', 'soft'], []],
    });
  });

  test('takes a number for the choice with that number where other texts count as well', () => {
    expect(read({ choice: 'take', colour: '1' })).toMatchObject({
      answer: [['take'], [], [], ['red']],
    });
    expect(read({ choice: 'take', colour: '7' })).toMatchObject({
      answer: [['take'], [], [], ['7']],
    });
  });

  test.each<[string, FormValues, string]>([
    ['no choice', {}, 'There is no "choice"; give one of: take, leave.'],
    ['a choice that is not there', { choice: '1' }, '"1" is not a choice here; give one of: take,'],
    ['a missing text', { choice: 'leave', why: ' ' }, '"why" is missing.'],
    ['several texts for one', { choice: 'leave', why: ['a', 'b'] }, '"why" takes one text.'],
    ['a text of another choice', { choice: 'take', why: 'x' }, '"why" does not go with "take".'],
    ['a field that nobody asked for', { choice: 'take', size: 'x' }, 'no question "size"; answer'],
  ])('refuses %s in one sentence', (_, values, sentence) => {
    expect(read(values)).toEqual({ refusal: expect.stringContaining(sentence) });
  });

  test('is skipped by the values that it names, or not at all', () => {
    expect(skipForm(question)).toEqual({ answer: [['leave'], ['skipped'], [], []] });
    const bound = { ...question, form: { ...form, skip: null } };
    expect(skipForm(bound)).toEqual({ refusal: 'cannot be skipped' });
  });
});
