import { expect, test } from 'vitest';
import { plainText } from '../../../../src/faces/tui/rows.ts';
import {
  questionsReducer,
  startingQuestions,
} from '../../../../src/faces/tui/screens/questions/state.ts';
import { questionRows } from '../../../../src/faces/tui/screens/questions/view.tsx';

test('going back to the question before keeps what was written for this one', () => {
  const second = questionsReducer(startingQuestions, { type: 'answer', text: 'Compact', of: 3 });
  const first = questionsReducer(second, { type: 'back', text: 'Not yet' });
  expect(first).toMatchObject({ at: 0, answers: ['Compact', 'Not yet'] });
});

test('a long question goes on below its words', () => {
  const question = 'Which of the two formats do you want to have where nothing is said?';
  const rows = questionRows([question], startingQuestions, 40).map(plainText);
  expect(rows.slice(2)).toEqual([
    '▸ Which of the two formats do you want',
    '  to have where nothing is said?',
  ]);
});
