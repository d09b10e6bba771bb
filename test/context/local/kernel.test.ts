import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileKernel, kernelFile } from '../../helpers/compile-kernel.ts';

test('the compiled kernel is that of its source', () => {
  expect(readFileSync(kernelFile).equals(compileKernel()), 'run: npm run kernel').toBe(true);
});
