import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, list, read, search, shell, text } from './cli-bench.ts';
import { type CliName, cliNames, realClis } from './real-clis.ts';

/** The variables of each vendor that hold a login. */
const logins: Readonly<Record<CliName, readonly string[]>> = {
  claude: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  codex: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'AZURE_OPENAI_API_KEY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  copilot: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'],
  opencode: ['OPENROUTER_API_KEY', 'OPENCODE_API_KEY', 'XAI_API_KEY', 'MISTRAL_API_KEY'],
};
const others = ['AWS_SECRET_ACCESS_KEY', 'DATABASE_URL', 'NPM_TOKEN', 'SSH_AUTH_SOCK'];

const files = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md'];
const nested = files.slice(0, 3).map((name) => `app/${name}`);

const kept = '.workflow/.multi-cli-plan/MCP-x/rounds/1/agents/other/answer.json';

describe.each(cliNames)('%s', (name) => {
  const cli = realClis[name];
  const bench = cliBench(cli);
  const foreign = [
    ...Object.entries(logins).flatMap(([one, all]) => (one === name ? [] : all)),
    ...others,
  ];

  test('is given no key of other vendors, and neither is what it starts', async () => {
    const canaries = Object.fromEntries(
      foreign.map((variable) => [variable, `canary-${variable}`]),
    );
    const room = bench.roomFor(cli.unbound, canaries);
    const prompt = bench.scripted(shell('env'), text('Yes.'));
    expect(answerOf((await runToEnd(room.agent(), room.request(prompt))).end)).toBe('Yes.');
    const seen = bench.server.log.at(-1)?.toolResults.join() ?? '';
    expect(seen).toContain('PATH=');
    expect(seen.match(/canary-\w+/g)).toBe(null);
    expect(room.rawOutput()).not.toContain('canary-');
  });

  test('reads nothing of our sessions by any tool, but the rest of the repository', async () => {
    bench.room.write('repo/.workflow/.gitignore', '*\n');
    bench.room.write(`repo/${kept}`, '{"said":"by another agent"}');
    bench.room.write('apart/answer.json', '{"said":"by another agent"}');
    const tries = [
      read(join(bench.room.repo, kept)),
      read(kept),
      read(join(bench.room.base, 'apart/answer.json')),
      search('by another'),
      list('**/answer.json'),
      search('export const'),
    ];
    const before = bench.server.log.length;
    const { end } = await bench.ask(bench.scripted(...tries, text('Done.')));
    expect(answerOf(end)).toBe('Done.');
    const results = bench.server.log
      .slice(before)
      .flatMap(({ toolResults }) => toolResults.slice(-1));
    expect(results).toHaveLength(tries.length);
    expect(results.join()).not.toMatch(/by another agent/);
    expect(results.at(-1)).toContain('list.js');
  });

  test('loads by itself those instructions of a project that its adapter names, and no others', async () => {
    for (const path of [...files, ...nested]) bench.room.write(`repo/${path}`, `note of ${path}.`);
    expect(answerOf((await bench.ask(bench.scripted(text('Yes.')))).end)).toBe('Yes.');
    const { prompt = '', system = '' } = bench.server.log.at(-1) ?? {};
    const loaded = [...files, ...nested].filter((path) =>
      `${prompt}${system}`.includes(`note of ${path}.`),
    );
    expect(loaded).toEqual(cli.adapter.loads ?? []);
  });
});
