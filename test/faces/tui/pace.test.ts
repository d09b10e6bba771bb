import { expect, test } from 'vitest';
import { paceOf } from '../../../src/faces/tui/pace.ts';

test('the pause grows with what the last frame wrote, up to half a second', () => {
  const out = { bytesWritten: 1_000 };
  const pause = paceOf(out);
  expect(pause()).toBe(0);
  out.bytesWritten += 4_000;
  expect(pause()).toBe(200);
  expect(pause()).toBe(0);
  out.bytesWritten += 1_000_000;
  expect(pause()).toBe(500);
});
