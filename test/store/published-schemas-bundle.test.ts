import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

const program = `
  import { schemaCheck } from './src/store/published-schemas.ts';
  import { renderTemplate } from './src/prompts/render.ts';
  const check = await schemaCheck({ extensions: { task: process.argv[2] } });
  console.log(JSON.stringify(check.check('task', { id: 'x', depends_on: [] })));
  renderTemplate('rerank', { head: '', request_rule: '', data_rule: '', task: '', files: '', identity: '', schema: '' });
`;

test('the schemas and templates are found from a bundle, wherever it is started', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'conclave-bundle-'));
  try {
    for (const part of ['schemas', 'templates', 'package.json']) {
      await cp(join(root, part), join(folder, part), { recursive: true });
    }
    const extension = join(folder, 'extension.json');
    await writeFile(
      extension,
      JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', required: ['owner'] }),
    );
    await build({
      stdin: { contents: program, resolveDir: root, loader: 'ts' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      outdir: join(folder, 'dist'),
      banner: {
        js: "import{createRequire as r}from'node:module';const require=r(import.meta.url);",
      },
    });
    const { stdout } = await run(process.execPath, [join(folder, 'dist', 'stdin.js'), extension], {
      cwd: tmpdir(),
    });
    expect(JSON.parse(stdout)).toEqual([
      { pointer: '/title', message: 'is missing, expected string' },
      { pointer: '/description', message: 'is missing, expected string' },
      { pointer: '/convergence', message: 'is missing, expected object' },
      { pointer: '/owner', message: 'is missing' },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
