import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { analystNames } from '../../../src/model/agent-settings.ts';
import { tomlTables } from '../../../src/model/setting.ts';
import { choiceFor, choiceForCall, chosenFirst } from '../../../src/model/phase-choice.ts';
import { loadSettings } from '../../../src/app/settings/load-settings.ts';
import { flagLeaves, settingLeaves } from '../../../src/app/settings/text-leaves.ts';
import { settingsList, settingsTable } from '../../../src/model/settings.ts';
import { type Place, makePlace } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
const context = async (toml: string) => {
  place.user(toml);
  return (await place.load()).context;
};
const maxRounds = (rounds: number) => `[workflow]\nmax_rounds = ${rounds}\n`;
const programs =
  '[agents.ant]\npath = "ant"\n[agents.bee]\npath = "bee"\n[agents.cat]\npath = "cat"\n';

describe('the later source wins', () => {
  const sources = ['user', 'project', 'variable', 'flag'] as const;

  test.each([0, 1, 2, 3, 4])('of the first %i', async (count) => {
    const isSet = (source: (typeof sources)[number]) => sources.indexOf(source) < count;
    if (isSet('user')) place.user(maxRounds(11));
    place.project(isSet('project') ? maxRounds(12) : '');
    await place.trust();
    const { read, sources: leaves } = await place.load({
      env: isSet('variable') ? { CONCLAVE_MAX_ROUNDS: '13' } : {},
      flags: isSet('flag') ? { maxRounds: '14' } : {},
    });
    const names = [
      'default',
      place.userFile,
      place.projectFile,
      'CONCLAVE_MAX_ROUNDS',
      '--max-rounds',
    ];
    const source = leaves.find(({ key }) => key === 'workflow.max_rounds')?.source.name;
    expect([read(settingsTable.workflow.maxRounds), source]).toEqual([
      [settingsTable.workflow.maxRounds.default, 11, 12, 13, 14][count],
      names[count],
    ]);
  });

  test('save for constraints, which add up without repeating', async () => {
    place.user('[workflow]\nconstraints = ["a", "b"]');
    place.project('[workflow]\nconstraints = ["b", "c"]');
    const more = { CONCLAVE_CONSTRAINTS: 'd\n a' };
    await place.trust();
    const { run } = await place.load({ env: more, flags: { constraint: ['e'] } });
    expect(run.constraints).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('save for tables, which add up entry by entry', async () => {
    const server = '[context.mcp]\npreset = "ace"\ncommand = ["ace"]\n';
    place.user(`${server}env = { A = "1", B = "1" }\n[agents.codex.env]\nA = "1"\nB = "1"`);
    place.project('[context.mcp.env]\nB = "2"\n[agents.codex.env]\nB = "2"\nC = "2"');
    await place.trust();
    const { agents, context: found, sources: leaves } = await place.load();
    expect(found.mcp?.env).toEqual({ A: '1', B: '2' });
    expect(agents['codex']?.env).toEqual({ A: '1', B: '2', C: '2' });
    const leaf = leaves.find(({ key }) => key === 'agents.codex.env');
    expect(leaf?.source.name).toBe(`${place.userFile}, ${place.projectFile}`);
  });
});

describe('who takes part', () => {
  test('programs of the user take the default seats, the first two', async () => {
    place.user(programs);
    const { run } = await place.load();
    expect(run.tools).toEqual(['ant', 'bee']);
    expect(run.fallback_chain.slice(0, 3)).toEqual(['ant', 'bee', 'cat']);
  });

  test('one that is switched off has no seat and does not stand in', async () => {
    place.user(programs);
    place.user(programs.replace('"ant"\n', '"ant"\nenabled = false\n'));
    const { run } = await place.load();
    expect(run.tools).toEqual(['bee', 'cat']);
    expect(run.fallback_chain).not.toContain('ant');
  });

  test('"local" stands for the analysts, each name counts once', async () => {
    place.user(programs);
    const { run } = await place.load({ flags: { tools: 'local,ant,ant' } });
    expect(run.tools).toEqual([...analystNames, 'ant']);
  });

  test('an unknown name of a flag is a usage fault that lists the known ones', async () => {
    place.user(programs);
    const message = await place.stop({ flags: { tools: 'beee' } });
    expect(message).toMatch(
      /^--tools names "beee", and there is no such agent\. Did you mean bee\? Known agents: /,
    );
    expect(message).toContain(analystNames.join(', '));
  });

  test('the planner must use a model', async () => {
    const [analyst = ''] = analystNames;
    place.user(`${programs}[agent]\ncli = "ant"`);
    expect((await place.load()).planner).toBe('ant');
    expect(await place.stop({ env: { CONCLAVE_AGENT: analyst } })).toContain('CONCLAVE_AGENT: ');
  });

  test('the planner is written in lower case, as the list of its values has it', async () => {
    place.user('[agent]\ncli = "Claude"');
    expect(await place.stop()).toMatch(
      /agent\.cli names "Claude", and there is no such agent with a model\. Did you mean claude\? Known agents: claude, codex, gemini, copilot, opencode/,
    );
    place.user('[agent]\ncli = "claude-code"');
    expect((await place.load()).planner).toBe('claude');
  });

  test('a program that is known by its name may have another path, and arguments of the user', async () => {
    const droid = makePlace('[agents.droid]\npath = "/opt/droid"\nargs = ["--verbose"]\n');
    const { agents } = await droid.load();
    expect(agents['droid']).toMatchObject({ path: '/opt/droid', args: ['--verbose'] });
    droid.user('[agents.droid]\nacp = ["droid", "exec"]\npath = "/opt/droid"\n');
    expect(await droid.stop()).toContain('agents.droid.path cannot be set: droid is an ACP agent');
  });

  test('the names that people have for CLIs stand for these, and for no model', async () => {
    const { run } = await place.load({ flags: { tools: 'claude-code,codex-cli,Gemini-CLI' } });
    expect(run.tools).toEqual(['claude', 'codex', 'gemini']);
  });
});

describe('models', () => {
  test('of the default agent, of an agent and of a flag; the nearest wins', async () => {
    place.user(
      '[agent]\ncli = "ant"\nmodel = "default"\n[agents.ant]\npath = "ant"\n' +
        '[agents.bee]\npath = "bee"\nmodel = "own"',
    );
    const { agents } = await place.load();
    expect([agents['ant']?.model, agents['bee']?.model]).toEqual(['default', 'own']);
    const flagged = await place.load({ flags: { model: ['bee=flag', 'ant=vendor/m:1@x'] } });
    expect([flagged.agents['ant']?.model, flagged.agents['bee']?.model]).toEqual([
      'vendor/m:1@x',
      'flag',
    ]);
  });

  test('of the default agent belong to claude if neither they nor the settings name another', async () => {
    expect((await place.load()).planner).toBeNull();
    place.user('[agent]\nmodel = "big"');
    const { planner, agents, sources, warnings } = await place.load();
    expect([planner, agents['claude']?.model, warnings]).toEqual(['claude', 'big', []]);
    const cli = sources.find(({ key }) => key === 'agent.cli');
    expect([cli?.value, cli?.source.name]).toEqual(['claude', 'default']);
    expect((await place.load({ env: { CONCLAVE_AGENT: 'codex' } })).planner).toBe('codex');
  });
});

describe('a model that is named where agents are', () => {
  test('is an agent of its own, with the settings of the CLI that carries it', async () => {
    place.user('[agents.claude]\npath = "/opt/claude"\nmodel = "haiku"\ntimeout = 60');
    const { run, agents, warnings } = await place.load({
      flags: { tools: 'opus,opus[1m],gpt52,Claude' },
    });
    expect(run.tools).toEqual(['opus', 'opus-1m', 'gpt52', 'claude']);
    expect(agents).toMatchObject({
      opus: { cli: 'claude', model: 'opus', path: '/opt/claude', timeoutMs: 60_000 },
      'opus-1m': { cli: 'claude', model: 'opus[1m]', path: '/opt/claude' },
      gpt52: { cli: 'codex', model: 'gpt52', path: undefined },
      claude: { cli: undefined, model: 'haiku' },
    });
    expect(warnings).toEqual([]);
  });

  test('may have an entry, whose settings win over those of the CLI', async () => {
    place.user(
      '[agents.claude]\npath = "/opt/claude"\n' +
        '[agents.opus]\ncli = "claude"\nmodel = "opus-of-mine"\npath = "/opt/other"',
    );
    const { run, agents } = await place.load();
    expect(agents['opus']).toMatchObject({ model: 'opus-of-mine', path: '/opt/other' });
    // It is asked where it is named, and takes nobody's place.
    expect([...run.tools, ...run.fallback_chain]).not.toContain('opus');
    const { run: named } = await place.load({ flags: { tools: 'opus' } });
    expect(named.tools).toEqual(['opus']);
  });

  test('chooses the agent of a phase and the planner', async () => {
    place.user('[phases.planning]\nagent = "sonnet"\n[agent]\nmodel = "gpt-9"');
    const { phases, planner, agents } = await place.load();
    expect(phases.planning?.agent).toBe('sonnet');
    expect([planner, agents['codex']?.model]).toEqual(['codex', 'gpt-9']);
    expect(agents['sonnet']).toMatchObject({ cli: 'claude', model: 'sonnet' });
  });

  test('has a seat of its own, whatever other names begin like it', async () => {
    place.user('[agents.opus-1m]\ncli = "claude"\nmodel = "haiku"');
    const large = 'openrouter/meta-llama/llama-3.3-70b-instruct';
    const small = 'openrouter/meta-llama/llama-3.3-8b-instruct';
    const models = [large, small, 'gpt-5.2', 'gpt-5-2', 'opus[1m]', large];
    const { run, agents } = await place.load({ flags: { tools: models.join(',') } });
    expect(run.tools.map((name) => agents[name]?.model)).toEqual(models.slice(0, 5));
    expect(run.tools).toContain('gpt-5-2');
    expect(run.tools).not.toContain('opus-1m');
  });

  test('is the own agent that is that model behind an API', async () => {
    place.user(`
[agents.grok]
provider = "xai"
model = "grok-4"
[agents.loc]
provider = "compatible"
base_url = "http://127.0.0.1:1/v1"
model = "qwen3:14b"
[agents.mine]
provider = "openai"
model = "gpt-5"
[phases.planning]
agent = "grok-4"
[phases.execution]
agent = "gpt-5"
`);
    const flags = { tools: 'Grok-4,qwen3:14b,gpt-5' };
    const { run, agents, phases } = await place.load({ flags });
    expect(run.tools).toEqual(['grok', 'loc', 'mine']);
    // Its API edits nothing, but the CLI that carries it does.
    expect([phases.planning?.agent, phases.execution?.agent]).toEqual(['grok', 'gpt-5']);
    expect(agents['gpt-5']).toMatchObject({ cli: 'codex', model: 'gpt-5' });
  });

  test('is the planner by [agent] model, where it is an own agent', async () => {
    place.user('[agents.grok]\nprovider = "xai"\nmodel = "grok-4"\n[agent]\nmodel = "grok-4"');
    expect((await place.load()).planner).toBe('grok');
  });

  test('has the price that was told for it, and no other', async () => {
    place.user(`
[agents.loc]
provider = "compatible"
base_url = "http://127.0.0.1:1/v1"
model = "qwen3:14b"
[models."qwen3:14b"]
usd_per_million = { input = 1, output = 2 }
[models.other]
usd_per_million = { input = 3, output = 4 }
`);
    const { agents } = await place.load();
    const prices = agents['loc']?.api?.prices;
    expect(prices?.get('qwen3:14b')).toMatchObject({ input: 1, output: 2 });
    expect(prices?.get('other')).toMatchObject({ input: 3, output: 4 });
    expect(prices?.get('third')).toBeUndefined();
  });

  test('goes to its CLI by --model alone, and is refused where none carries it', async () => {
    const { agents } = await place.load({ flags: { model: ['opus', 'gpt-9'] } });
    expect([agents['claude']?.model, agents['codex']?.model]).toEqual(['opus', 'gpt-9']);
    expect(await place.stop({ flags: { model: ['auto'] } })).toMatch(/^--model cannot be auto: /);
    expect(await place.stop({ flags: { model: ['grok-4'] } })).toContain('XAI_API_KEY');
    expect(await place.stop({ flags: { model: ['zzz'] } })).toContain('takes AGENT=NAME');
  });

  test('is a warning where its agent is not known to carry it', async () => {
    const { warnings } = await place.load({ flags: { model: ['codex=opus', 'copilot=opus'] } });
    expect(warnings).toEqual([
      '--model: agents.codex.model is "opus", a model of claude, which codex is not known to carry.',
    ]);
    place.user('[agents.talker]\nacp = ["gemini", "--acp"]\nmodel = "opus"');
    expect((await place.load()).warnings).toEqual([
      expect.stringMatching(
        /: agents\.talker\.model is "opus", a model of claude, which gemini is not known to carry\.$/,
      ),
    ]);
  });
});

test('paths start at the folder of their file, unless they are bare words', async () => {
  const folder = dirname(place.userFile);
  place.user(`
[agents.ant]
path = "bin/ant"
args = ["./a.mjs", "~/b.mjs", "vendor/model", "--x=./y", "https://a.example/b", "word"]
[agents.bee]
path = "bee"
[schemas]
plan = "plan.json"
`);
  const { agents, schemas } = await place.load();
  expect(agents['ant']?.path).toBe(join(folder, 'bin/ant'));
  expect(agents['ant']?.args).toEqual([
    join(folder, 'a.mjs'),
    join(place.environment['HOME'] ?? '', 'b.mjs'),
    'vendor/model',
    '--x=./y',
    'https://a.example/b',
    'word',
  ]);
  expect(agents['bee']?.path).toBe('bee');
  expect(schemas).toEqual({ plan: join(folder, 'plan.json') });
});

test('the project’s file may be a link inside the project, never one out of it', async () => {
  writeFileSync(join(place.repo, 'shared.toml'), '[workflow]\nmax_rounds = 1');
  symlinkSync('shared.toml', place.projectFile);
  expect((await place.load()).run.max_rounds).toBe(1);
  rmSync(place.projectFile);
  place.user('[workflow]\nmax_rounds = 1');
  symlinkSync(place.userFile, place.projectFile);
  expect(await place.stop()).toContain('symbolic link leads out of the project');
});

describe('the context server', () => {
  test('is not asked where there is none', async () => {
    expect(await context('')).toMatchObject({ providers: ['search'], mcp: null });
  });

  test('has a command and variables of the user, and the rest by its kind', async () => {
    const { mcp } = await context(`[context.mcp]
preset = "claude-context"
command = ["./bin/server", "--root", "{root}"]
env = { TOKEN = "x" }`);
    expect(mcp).toMatchObject({
      command: join(dirname(place.userFile), 'bin/server'),
      args: ['--root', '{root}'],
      tool: 'search_code',
      arguments: { path: '{root}' },
      env: { TOKEN: 'x' },
    });
  });

  test('is left out where it is not among the providers', async () => {
    const server = '[context.mcp]\npreset = "ace"\ncommand = ["x"]\n';
    expect((await context(`${server}[context]\nproviders = ["search"]`)).mcp).toBeNull();
  });
});

test('there are at most 88 settings', () => {
  expect(settingsList.length).toBeLessThanOrEqual(88);
  expect(new Set(settingsList.map(({ path }) => path)).size).toBe(settingsList.length);
});

describe('the time that an agent may be silent', () => {
  test('is shorter until its first output, unless the user sets it', async () => {
    expect((await place.load()).limits).toMatchObject({ firstOutputMs: 120_000, idleMs: 300_000 });
    for (const seconds of [600, 300]) {
      place.user(`[workflow]\nidle_timeout = ${seconds}`);
      const idleMs = seconds * 1000;
      expect((await place.load()).limits).toMatchObject({ firstOutputMs: idleMs, idleMs });
    }
  });
});

const execution = async (toml: string) => {
  place.user(`[phases.execution]\n${toml}`);
  return (await place.load()).execution;
};

describe('destructive, the other name of is_destructive', () => {
  test('is read as it, also where both say the same', async () => {
    expect(await execution('destructive = true')).toMatchObject({ isDestructive: true, jobs: 1 });
    expect(await execution('is_destructive = true\ndestructive = true')).toMatchObject({ jobs: 1 });
    expect(await execution('destructive = false')).toMatchObject({ isDestructive: false });
  });

  test('is refused where both say something else', async () => {
    place.user('[phases.execution]\nis_destructive = false\ndestructive = true');
    expect(await place.stop()).toMatch(
      /:2: phases\.execution\.is_destructive is false, and destructive is true: destructive is another name of is_destructive; keep one of them\.$/,
    );
  });

  test('of the project only makes it stricter', async () => {
    place.project('[phases.execution]\ndestructive = true');
    expect((await place.load()).execution.isDestructive).toBe(true);
  });
});

test('every setting stands in a table of the settings file, so that the schema has it', () => {
  const tables = tomlTables.map(({ path }) => path);
  const paths = settingsList.map(({ path }) => path.replace(/\.[^.]+$/, ''));
  expect(paths.filter((path) => !tables.includes(path))).toEqual([]);
});

const numbers = async (given: Parameters<Place['load']>[0] = {}) => {
  const { run, planReaders } = await place.load(given);
  return [run.max_rounds, planReaders];
};

describe('the depth of a session', () => {
  test('stands for the number of rounds and of readers', async () => {
    expect(await numbers()).toEqual([3, 1]);
    expect(await numbers({ flags: { depth: 'quick' } })).toEqual([1, 0]);
    expect(await numbers({ flags: { depth: 'normal' } })).toEqual([3, 1]);
    expect(await numbers({ flags: { depth: 'deep' } })).toEqual([3, 20]);
  });

  test('loses against whatever is set itself, in a file or by a flag', async () => {
    place.user('[workflow]\nmax_rounds = 2');
    expect(await numbers({ flags: { depth: 'quick' } })).toEqual([2, 0]);
    expect(await numbers({ flags: { depth: 'quick', maxRounds: '4' } })).toEqual([4, 0]);
  });

  test('wins over what a session has kept where a flag says it on resume', async () => {
    const kept = (await place.load({ flags: { depth: 'quick' } })).sources.filter(
      ({ setting }) => setting.ofSession === 'always',
    );
    const resumed = (depth: string | null) =>
      loadSettings({
        root: place.repo,
        environment: place.environment,
        session: kept,
        flags: depth === null ? [] : flagLeaves({ depth }),
      });
    expect((await resumed(null)).run.max_rounds).toBe(1);
    const { run, planReaders } = await resumed('deep');
    expect([run.max_rounds, planReaders]).toEqual([3, 20]);
  });
});

test('a value for the flag of no setting is refused where only settings are given', () => {
  expect(settingLeaves({ maxRounds: 2 })).toHaveLength(1);
  expect(() => settingLeaves({ rounds: 2 })).toThrow('no setting has the flag rounds');
});

describe('the choice for a phase', () => {
  test('names agent, model and effort; the model counts in that phase and for that agent only', async () => {
    place.user('[phases.planning]\nagent = "claude"\nmodel = "opus"\neffort = "max"');
    const { phases } = await place.load();
    const choice = { agent: 'claude', model: 'opus', effort: 'max' };
    expect(choiceFor(phases, 'planning')).toEqual(choice);
    expect(choiceForCall(phases, 'plan', 'claude')).toEqual(choice);
    const own = { model: null, effort: null };
    expect(choiceForCall(phases, 'plan', 'codex')).toEqual(own);
    expect(choiceForCall(phases, 'plan-review', 'claude')).toEqual(own);
    expect(choiceForCall(phases, 'propose', 'claude')).toEqual(own);
    expect(chosenFirst(phases, 'planning', ['codex', 'claude'])).toEqual(['claude', 'codex']);
    expect(chosenFirst(phases, 'execution', ['codex', 'claude'])).toEqual(['codex', 'claude']);
  });

  test.each([
    ['[phases.planing]\nagent = "claude"', 'did you mean planning?'],
    ['[phases.planning]\nmodel = "opus"', 'phases.planning.model needs phases.planning.agent'],
    ['[phases.compare]\neffort = "low"', 'phases.compare.effort needs phases.compare.agent'],
    ['[phases.execution]\nagent = "structure"', 'there is no such agent with a model'],
  ])('is refused where it says nothing: %j', async (toml, message) => {
    place.user(toml);
    expect((await place.stop()).toLowerCase()).toContain(message.toLowerCase());
  });
});
