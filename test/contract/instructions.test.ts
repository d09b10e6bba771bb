import { describe, expect, test } from 'vitest';
import { answerOf, cliBench, text } from './cli-bench.ts';
import { isBrief } from './extent.ts';
import { cliNames, realClis } from './real-clis.ts';

const files = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md'];
const nested = files.slice(0, 3).map((name) => `app/${name}`);

describe.each(cliNames)('of the instructions of a project, %s', (name) => {
  const cli = realClis[name];
  const bench = cliBench(cli);
  const brief = isBrief(name);

  test.skipIf(brief)('loads by itself those that its adapter names, and no others', async () => {
    for (const path of [...files, ...nested]) bench.room.write(`repo/${path}`, `note of ${path}.`);
    expect(answerOf((await bench.ask(bench.scripted(text('Yes.')))).end)).toBe('Yes.');
    const { prompt = '', system = '' } = bench.server.log.at(-1) ?? {};
    const loaded = [...files, ...nested].filter((path) =>
      `${prompt}${system}`.includes(`note of ${path}.`),
    );
    expect(loaded).toEqual(cli.adapter.loads);
  });
});
