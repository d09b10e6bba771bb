// Tests real programs by the Agent Client Protocol.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rgPath } from '@vscode/ripgrep';
import { describe, expect, test } from 'vitest';
import { acpSetup } from '../../src/agents/acp/acp-setup.ts';
import { cliAgent } from '../../src/agents/cli/cli-agent.ts';
import { runToEnd, until } from '../agents/agent-room.ts';
import { testRig } from '../helpers/test-rig.ts';
import { cliBench, shell, status, text, write } from './cli-bench.ts';
import { acps, clis, hasAcps } from './install.ts';
import { asleep, having, marked, sleepers } from './processes.ts';
import { acpClis, droidFiles } from './acp-clis.ts';
import { type CliName, type RealCli, realClis, testKey } from './real-clis.ts';
import { writeAtHome } from './three-clis.ts';

interface Program {
  readonly name: string;
  /** The CLI that it is or stands for. */
  readonly cli: CliName | RealCli;
  readonly command: readonly [string, ...string[]];
  /** Those that the model server counts for one answer, as far as the program tells them. */
  readonly tokens: unknown;
  readonly version?: string;
  readonly resumes: boolean;
  /** It tells no status of HTTP, so that the words of the provider decide. */
  readonly tellsNoStatus?: boolean;
  /** It refuses a call only by ending its turn. */
  readonly endsRefused?: boolean;
  /** It lets its model judge an edit, which the model server does not do. */
  readonly judgesEdits?: true;
  /** The mode in which it runs a command here: in a home among temporary files it has no sandbox. */
  readonly shellMode?: string;
  /** It ends its turn when a command is refused. */
  readonly endsCommands?: true;
  /** The settings with which it finds the model server, in its home. */
  readonly files?: (url: string) => Readonly<Record<string, string>>;
}

const counted = { input: 1000, output: 50, cached: 400 };

const programs: readonly Program[] = [
  {
    name: 'gemini',
    cli: 'gemini',
    command: ['gemini', '--acp', '-m', 'gemini-2.5-pro'],
    // It tells neither what it had cached nor its thoughts.
    tokens: { input: 1000, output: expect.any(Number), cached: 0 },
    // Its `session/load` fails.
    resumes: false,
  },
  {
    name: 'copilot',
    cli: 'copilot',
    command: ['copilot', '--acp'],
    tokens: counted,
    resumes: true,
  },
  {
    name: 'opencode',
    cli: 'opencode',
    command: ['opencode', 'acp'],
    tokens: counted,
    resumes: false,
    tellsNoStatus: true,
  },
  ...(hasAcps ? asked() : []),
];

/** These are installed where they are asked for. */
function asked(): readonly Program[] {
  return [
    {
      name: 'droid',
      cli: acpClis.droid,
      command: ['droid', 'exec', '--output-format', 'acp'],
      tokens: null,
      resumes: true,
      endsCommands: true,
      files: droidFiles,
    },
    {
      name: 'qwen',
      cli: acpClis.qwen,
      command: ['qwen', '--acp'],
      tokens: null,
      resumes: true,
    },
    {
      name: 'claude-agent-acp',
      cli: 'claude',
      command: ['claude-agent-acp'],
      tokens: { input: 19, output: 7, cached: 5 },
      version: '0.101.0',
      resumes: true,
    },
    {
      name: 'codex-acp',
      cli: 'codex',
      command: ['codex-acp'],
      tokens: counted,
      version: '2.6.0',
      resumes: true,
      endsRefused: true,
      judgesEdits: true,
      shellMode: 'agent-full-access',
      files: (url) => ({
        '.codex/config.toml': `model_provider = "stub"
model = "gpt-6.1-sol"

[model_providers.stub]
name = "stub"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "STUB_KEY"
request_max_retries = 1
stream_max_retries = 1
`,
      }),
    },
  ];
}

describe.each(programs)('$name by ACP', ({ command, tokens, files, resumes, ...program }) => {
  const cli = typeof program.cli === 'string' ? realClis[program.cli] : program.cli;
  const bench = cliBench(cli);
  const talker = (mode?: string) => {
    const { server, room } = bench;
    for (const [path, content] of Object.entries(files?.(server.url) ?? {}))
      room.write(`home/${path}`, content);
    const settings =
      files === undefined ? cli.settings(server.url) : { env: { STUB_KEY: testKey } };
    return cliAgent(
      acpSetup({
        name: 'talker',
        acp: { command, mode },
        settings,
        environment: {
          PATH: `${acps}:${clis}:${dirname(rgPath)}:${process.env['PATH']}`,
          HOME: room.home,
          LANG: 'C.UTF-8',
          ...cli.environment(server.url),
        },
      }),
    );
  };

  // It keeps sessions and settings of its own at home.
  const repoTree = () =>
    Object.entries(bench.room.tree()).filter(([path]) => path.startsWith('repo/'));

  test('answers with its own words alone, and tells the tokens that the server counted', async () => {
    const words = 'Hello from the stub, to the last word.';
    const request = bench.room.request(bench.scripted(text(words)));
    const { end } = await runToEnd(talker(), request);
    expect(end).toMatchObject({ ok: true, text: words, facts: { tokens, notes: [] } });
    expect(end.facts.version).toBe(program.version ?? cli.version);
    expect(marked(request.mark)).toEqual([]);
  });

  test('writes no file while it may only read', async () => {
    const edited = join(bench.room.repo, 'edited.txt');
    const before = repoTree();
    const prompt = bench.scripted(write(edited), text('Done.'));
    const { end } = await runToEnd(talker(), bench.room.request(prompt));
    const refused = { ok: false, failure: { category: 'permission-refused' } };
    expect(end).toMatchObject(program.endsRefused === true ? refused : { ok: true, text: 'Done.' });
    expect(end.facts.filesChanged).toEqual([]);
    expect(existsSync(edited)).toBe(false);
    expect(repoTree()).toEqual(before);
  });

  test.skipIf(program.judgesEdits)('edits a file of its folder where it may', async () => {
    const edited = join(bench.room.repo, 'edited.txt');
    const prompt = bench.scripted(write(edited), text('Done.'));
    const { end } = await runToEnd(talker(), bench.room.request(prompt, { permission: 'edit' }));
    expect(end).toMatchObject({ ok: true, text: 'Done.', facts: { notes: [] } });
    expect(existsSync(edited)).toBe(true);
  });

  test('runs no command that writes while it may only read', async () => {
    const echoed = join(bench.room.repo, 'echoed.txt');
    const before = repoTree();
    const prompt = bench.scripted(shell(`echo made > ${echoed}`), text('Done.'));
    const { end } = await runToEnd(talker(), bench.room.request(prompt));
    const ended = { ok: false, failure: { category: 'empty-answer' } };
    expect(end).toMatchObject(program.endsCommands === true ? ended : { ok: true, text: 'Done.' });
    expect(end.facts.filesChanged).toEqual([]);
    expect(existsSync(echoed)).toBe(false);
    expect(repoTree()).toEqual(before);
  });

  test('that is not logged in says so', async () => {
    const words = program.tellsNoStatus === true ? { message: 'Incorrect API key provided' } : {};
    const prompt = bench.scripted(status(401, words));
    const { end } = await runToEnd(talker(), bench.room.request(prompt));
    expect(end).toMatchObject({ failure: { category: 'not-logged-in' } });
  });

  test('ends when it is cancelled, and leaves no process', async () => {
    const abort = new AbortController();
    const prompt = bench.scripted({ kind: 'hang', when: 'middle' });
    const request = bench.room.request(prompt);
    const before = bench.server.log.length;
    const running = runToEnd(talker(), request, abort.signal);
    while (bench.server.log.length === before) await sleep(20);
    abort.abort();
    const { end } = await running;
    expect(end).toMatchObject({ failure: { category: 'cancelled' } });
    expect(marked(request.mark)).toEqual([]);
  });

  test('leaves no process of a tool that is cancelled', async () => {
    const abort = new AbortController();
    const time = `7${Date.now() % 100_000}`;
    const prompt = bench.scripted(shell(`echo begun && sleep ${time}`), text('Never.'));
    const { shellMode } = program;
    const rights = { permission: 'read-only', allowed: ['shell'] } as const;
    const request = bench.room.request(
      prompt,
      shellMode === undefined ? { permission: 'edit-and-shell' } : rights,
    );
    const running = runToEnd(talker(shellMode), request, abort.signal);
    await asleep(running, { time, count: 1 });
    abort.abort();
    const { end } = await running;
    expect(end).toMatchObject({ failure: { category: 'cancelled' } });
    expect(sleepers(time)).toEqual([]);
    expect(marked(request.mark)).toEqual([]);
  });

  test('leaves no process five seconds after we are killed', async () => {
    const rig = testRig();
    const { url } = bench.server;
    const [first, ...more] = command;
    const path = [acps, clis].map((folder) => join(folder, first)).find((one) => existsSync(one));
    const env = { ...cli.environment(url), STUB_KEY: testKey };
    const values = Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    writeAtHome(rig, { ...cli.login, ...files?.(url) });
    rig.config(`[agents.talker]
acp = ${JSON.stringify([path, ...more])}
env = { ${values.join(', ')} }
`);
    const prompt = bench.scripted({ kind: 'hang', when: 'middle' });
    const before = bench.server.log.length;
    const conclave = rig.start('consult', '--agent', 'talker', prompt);
    while (bench.server.log.length === before) await sleep(20);
    expect(having(`HOME=${rig.home}`).length).toBeGreaterThan(1);
    conclave.kill('SIGKILL');
    await until('nothing of it runs', () => having(`HOME=${rig.home}`).length === 0);
  });

  test.runIf(resumes)('goes on with its session from a new process', async () => {
    const first = await runToEnd(talker(), bench.room.request(bench.scripted(text('One.'))));
    const { agentSession, tokens: spent } = first.end.facts;
    if (agentSession === null) throw new Error('it told no session');
    const resume = { agentSession, cwd: bench.room.repo, ...(spent === null ? {} : { spent }) };
    const request = bench.room.request(bench.scripted(text('Two.')), { resume });
    const { end } = await runToEnd(talker(), request);
    expect(end).toMatchObject({ ok: true, text: 'Two.', facts: { agentSession, tokens } });
    expect(bench.server.log.at(-1)?.prompt).toMatch(/scenario[^]*scenario/);
  });
});
