import { describe, expect, test } from 'vitest';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, shell, text } from './cli-bench.ts';
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

describe.each(cliNames)('among the keys of all vendors, %s', (name) => {
  const cli = realClis[name];
  const bench = cliBench(cli);
  const foreign = [
    ...Object.entries(logins).flatMap(([one, all]) => (one === name ? [] : all)),
    ...others,
  ];

  test('is given no foreign one, and neither is what it starts', async () => {
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
});
