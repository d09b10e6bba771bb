import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const local = fileURLToPath(new URL('../../src/context/local', import.meta.url));
export const kernelFile = join(local, 'kernel.wasm');
/** What the host calls to index, and to search. */
const entries = ['kernel/index.ts', 'kernel/search.ts'];

/** Compiles the kernel of the index from AssemblyScript to WebAssembly. */
export function compileKernel(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-kernel-'));
  try {
    const outFile = join(folder, 'kernel.wasm');
    const compiler = fileURLToPath(import.meta.resolve('assemblyscript/asc'));
    const program = join(compiler, '../../bin/asc.js');
    const options =
      '--optimizeLevel 3 --enable simd --noAssert --runtime minimal --use abort='.split(' ');
    // The compiler is itself WebAssembly, and ends before better code for it would pay.
    const args = ['--liftoff-only', program, ...entries, ...options, '--outFile', outFile];
    execFileSync(process.execPath, args, { cwd: local, stdio: ['ignore', 'inherit', 'inherit'] });
    return readFileSync(outFile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
