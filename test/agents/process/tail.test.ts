import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteTail } from '../../../src/agents/process/record.ts';

test('a tail keeps the last bytes, whatever chunks they come in', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{0,25}$/), { maxLength: 12 }), (chunks) => {
      const last = byteTail(10);
      for (const chunk of chunks) last.push(Buffer.from(chunk));
      expect(last.text()).toBe(chunks.join('').slice(-10));
    }),
  );
});

test('a tail leaves out the rest of a character that its cut has torn', () => {
  const last = byteTail(4);
  last.push(Buffer.from('世界!'));
  expect(last.text()).toBe('界!');
});
