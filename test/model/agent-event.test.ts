import { expect, test } from 'vitest';
import { errorOf } from '../../src/model/make-events.ts';

test.each([
  ['network', null, true],
  ['quota-used-up', null, false],
  ['quota-used-up', 3_600_000, true],
  ['not-asked', 60_000, true],
  ['request-refused', null, false],
  // It may be asked again at once.
  ['not-asked', 0, true],
] as const)(
  'an error of the category %s with a wait of %j ms is recoverable: %j',
  (category, wait, recoverable) => {
    expect(errorOf(category, 'no', wait)).toMatchObject({ recoverable, retryAfter: wait });
  },
);
