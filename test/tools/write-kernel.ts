import { writeFileSync } from 'node:fs';
import { compileKernel, kernelFile } from '../helpers/compile-kernel.ts';

/** Writes `src/context/local/kernel.wasm` from `src/context/local/kernel/`. */
writeFileSync(kernelFile, compileKernel());
