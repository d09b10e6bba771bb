import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Isolation, Permission } from '../../src/agents/permission.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, shell, text, write } from './cli-bench.ts';
import type { CliRoom, RequestParts } from './cli-room.ts';
import { type CliName, cliNames, realClis, testKey } from './real-clis.ts';

type Plant = (room: CliRoom, witness: string) => void;

const touching = (witness: string, name: string) => `touch ${witness}-${name}`;
const hook = (command: string) => [{ hooks: [{ type: 'command', command }] }];
const skill = '---\nname: mine\ndescription: note-of-skill\n---\nHello.';

/** What leaves files behind in the settings of the user, a hook and a server; and notes to be read. */
const plants: Readonly<Record<CliName, Plant>> = {
  claude(room, witness) {
    const hooks = { SessionStart: hook(touching(witness, 'hook')) };
    const permissions = { allow: ['Bash'], defaultMode: 'bypassPermissions' };
    room.write('home/.claude/settings.json', JSON.stringify({ hooks, permissions }));
    const mine = { command: 'touch', args: [`${witness}-server`] };
    room.write('home/.claude.json', JSON.stringify({ mcpServers: { mine } }));
    room.write('home/.claude/CLAUDE.md', 'note-of-memory');
    room.write('home/.claude/skills/mine/SKILL.md', skill);
  },
  codex(room, witness) {
    room.write('home/.codex/AGENTS.md', 'note-of-memory');
    room.write(
      'home/.codex/config.toml',
      `notify = ["touch", "${witness}-hook"]
sandbox_mode = "danger-full-access"
[mcp_servers.mine]
command = "touch"
args = ["${witness}-server"]
[projects.${JSON.stringify(room.repo)}]
trust_level = "trusted"
`,
    );
  },
  gemini(room, witness) {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      hooks: { SessionStart: hook(touching(witness, 'hook')) },
      mcpServers: { mine: { command: 'touch', args: [`${witness}-server`] } },
      general: { defaultApprovalMode: 'auto_edit' },
      tools: { allowed: ['run_shell_command', 'write_file'] },
    };
    room.write('home/.gemini/settings.json', JSON.stringify(settings));
    room.write('home/.gemini/GEMINI.md', 'note-of-memory');
    room.write('home/.gemini/skills/mine/SKILL.md', skill);
    const extension = { name: 'mine', version: '1.0.0', contextFileName: 'note.md' };
    room.write('home/.gemini/extensions/mine/gemini-extension.json', JSON.stringify(extension));
    room.write('home/.gemini/extensions/mine/note.md', 'note-of-extension');
  },
  copilot(room, witness) {
    const command = { type: 'command', bash: touching(witness, 'hook') };
    const hooks = { version: 1, hooks: { sessionStart: [command] } };
    room.write('home/.copilot/hooks/mine.json', JSON.stringify(hooks));
    const mine = { type: 'local', command: 'touch', args: [`${witness}-server`], tools: ['*'] };
    room.write('home/.copilot/mcp-config.json', JSON.stringify({ mcpServers: { mine } }));
    room.write('home/.copilot/copilot-instructions.md', 'note-of-memory');
    room.write('home/.copilot/config.json', JSON.stringify({ trustedFolders: [room.repo] }));
  },
  opencode(room, witness) {
    const plugin = `import { writeFileSync } from 'node:fs';
export const Mine = async () => { writeFileSync('${witness}-hook', ''); return {}; };`;
    room.write('home/.config/opencode/plugin/mine.js', plugin);
    // Else it installs a package for plugins.
    room.write('home/.config/opencode/node_modules/.keep', '');
    const packages = { '': { dependencies: { '@opencode-ai/plugin': '*' } } };
    room.write('home/.config/opencode/package-lock.json', JSON.stringify({ packages }));
    const mine = { type: 'local', command: ['touch', `${witness}-server`] };
    const settings = { mcp: { mine }, permission: { bash: 'allow', edit: 'allow' } };
    room.write('home/.config/opencode/opencode.json', JSON.stringify(settings));
    room.write('home/.config/opencode/AGENTS.md', 'note-of-memory');
    room.write('home/.config/opencode/skills/mine/SKILL.md', skill);
  },
};

/** The same of the project. Without isolation, some would run it. */
const projects: Readonly<Record<CliName, Plant>> = {
  claude(room, witness) {
    const hooks = { SessionStart: hook(touching(witness, 'project')) };
    room.write('repo/.claude/settings.json', JSON.stringify({ hooks }));
    const servers = { theirs: { command: 'touch', args: [`${witness}-project`] } };
    room.write('repo/.mcp.json', JSON.stringify({ mcpServers: servers }));
    room.write('repo/.claude/skills/mine/SKILL.md', skill);
  },
  codex(room, witness) {
    const theirs = `[mcp_servers.theirs]\ncommand = "touch"\nargs = ["${witness}-project"]\n`;
    room.write('repo/.codex/config.toml', theirs);
  },
  gemini(room, witness) {
    const settings = {
      hooks: { SessionStart: hook(touching(witness, 'project')) },
      mcpServers: { mine: { command: 'touch', args: [`${witness}-project`] } },
      tools: { discoveryCommand: touching(witness, 'project') },
    };
    room.write('repo/.gemini/settings.json', JSON.stringify(settings));
    room.write('repo/.gemini/skills/mine/SKILL.md', skill);
    room.write('repo/.gemini/commands/question.toml', 'prompt = "note-of-command"');
  },
  copilot(room, witness) {
    const command = { type: 'command', bash: touching(witness, 'project') };
    const hooks = JSON.stringify({ version: 1, hooks: { sessionStart: [command] } });
    room.write('repo/.github/hooks/mine.json', hooks);
    room.write('repo/.github/copilot/settings.json', hooks);
    const theirs = { type: 'local', command: 'touch', args: [`${witness}-project`], tools: ['*'] };
    for (const path of ['.mcp.json', '.github/mcp.json'])
      room.write(`repo/${path}`, JSON.stringify({ mcpServers: { theirs } }));
  },
  opencode(room, witness) {
    const theirs = { type: 'local', command: ['touch', `${witness}-project`], enabled: true };
    const settings = { mcp: { theirs }, agent: { build: { prompt: 'note-of-agent' } } };
    for (const path of ['opencode.jsonc', '.opencode/opencode.jsonc'])
      room.write(`repo/${path}`, JSON.stringify(settings));
    room.write('repo/AGENTS.md', 'note-of-memory');
    room.write('repo/.opencode/skills/mine/SKILL.md', skill);
  },
};

describe.each(cliNames)('%s', (name) => {
  const cli = realClis[name];
  const bench = cliBench(cli);
  const { isolations = [] } = cli.adapter;
  const agentWith = (isolation: Isolation) =>
    bench.room.agent({ ...cli.settings(bench.server.url), isolation });

  /** What was run of the user’s, and what was made outside of the repository. */
  async function made(isolation: Isolation, permission: Permission) {
    const { room } = bench;
    plants[name](room, join(room.base, 'was-run'));
    if (permission === 'read-only') projects[name](room, join(room.base, 'was-run'));
    const harm = [shell(`echo made > ${room.home}/made-x`), write(`${room.home}/made-y`)];
    const request = room.request(bench.scripted(...harm, text('Yes.')), { permission });
    const { end } = await runToEnd(agentWith(isolation), request);
    expect(answerOf(end)).toBe('Yes.');
    const { prompt = '', system = '' } = bench.server.log.at(-1) ?? {};
    const notes = /note-of-\w+/.exec(permission === 'read-only' ? `${prompt}${system}` : '');
    expect(notes).toBe(null);
    const paths = Object.keys(room.tree()).filter((path) => /was-run|made-/.test(path));
    return paths.map((path) => path.split('-').at(-1) ?? '').toSorted();
  }

  test.each(isolations)('%s keeps hooks and servers out while planning', async (isolation) => {
    expect(await made(isolation, 'read-only')).toEqual([]);
  });

  test.each(isolations)('%s does as it says where it may edit', async (isolation) => {
    expect(await made(isolation, 'edit')).toEqual(isolation === 'none' ? ['hook', 'server'] : []);
  });

  test.each(isolations)('%s lets a session go on', async (isolation) => {
    const ask = (words: string, more: RequestParts = {}) =>
      runToEnd(agentWith(isolation), bench.room.request(bench.scripted(text(words)), more));
    const first = await ask('One.');
    const resume = { agentSession: first.end.facts.agentSession ?? '', cwd: bench.room.repo };
    expect(answerOf((await ask('Two.', { resume, permission: 'edit' })).end)).toBe('Two.');
    expect(bench.server.log.at(-1)?.prompt).toContain('What should we do?');
  });
});

describe('a login kept in the user’s home', () => {
  const claude = cliBench(realClis.claude);
  test('of claude is not seen in a home of its own', async () => {
    const room = claude.roomFor(realClis.claude.adapter, { ANTHROPIC_API_KEY: undefined });
    room.write('home/.claude/settings.json', '{"apiKeyHelper":"echo key-of-the-helper"}');
    const ask = (isolation: Isolation) =>
      runToEnd(room.agent({ isolation }), room.request(claude.scripted(text('Yes.'))));
    expect(answerOf((await ask('flags')).end)).toBe('Yes.');
    expect(answerOf((await ask('home')).end)).toMatchObject({ category: 'not-logged-in' });
  });

  const codex = cliBench(realClis.codex);
  test('of codex is taken along into a home of its own', async () => {
    const { room } = codex;
    room.write('home/.codex/auth.json', '{"OPENAI_API_KEY":"key-of-the-login"}');
    const args = ['-c', `openai_base_url="${codex.server.url}/v1"`];
    const ask = (isolation: Isolation, env = {}) =>
      runToEnd(room.agent({ args, isolation, env }), room.request(codex.scripted(text('Yes.'))));
    expect(answerOf((await ask('flags')).end)).toBe('Yes.');
    expect(answerOf((await ask('home')).end)).toBe('Yes.');
    expect(answerOf((await ask('home', { CODEX_API_KEY: testKey })).end)).toBe('Yes.');
  });
});
