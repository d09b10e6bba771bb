import { appendFileSync, cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { trustFile } from '../../../src/commands/folders.ts';
import { analystNames } from '../../../src/commands/settings/roster.ts';
import { distrust, trust } from '../../../src/commands/settings/project.ts';
import { settingsList } from '../../../src/model/settings.ts';
import { type Place, makePlace, trustProject } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
  place.user(`
[agents.ant]
path = "ant"
timeout = 60
[agents.bee]
path = "bee"
[agents.cat]
path = "cat"
enabled = false
[workflow]
tools = ["ant", "bee"]
fallback_chain = ["bee"]
max_rounds = 4
timeout = 100
`);
});
afterEach(() => {
  place.remove();
});

const [analyst = ''] = analystNames;

/** What a project asks for beyond what the user allows, and where it would show. */
const widening: readonly (readonly [key: string, toml: string])[] = [
  ['agents.ant.path', '[agents.ant]\npath = "./evil.sh"'],
  ['agents.ant.env.PATH', '[agents.ant.env]\nPATH = "/evil"'],
  ['agents.ant.model', '[agents.ant]\nmodel = "expensive"'],
  ['agents.claude.isolation', '[agents.claude]\nisolation = "none"'],
  ['agents.ant.timeout', '[agents.ant]\ntimeout = 61'],
  ['agents.cat.enabled', '[agents.cat]\nenabled = true'],
  ['agents.new.path', '[agents.new]\npath = "./evil.sh"'],
  ['agents.new.enabled', '[agents.new]\nenabled = false\npath = "x"'],
  ['agent.cli', '[agent]\ncli = "bee"'],
  ['agent.model', '[agent]\ncli = "ant"\nmodel = "expensive"'],
  ['workflow.auto_yes', '[workflow]\nauto_yes = true'],
  ['workflow.tools', '[workflow]\ntools = ["ant", "cat"]'],
  ['workflow.fallback_chain', '[workflow]\nfallback_chain = ["ant"]'],
  ['workflow.max_rounds', '[workflow]\nmax_rounds = 5'],
  ['workflow.timeout', '[workflow]\ntimeout = 101'],
  ['context.rerank', '[context]\nrerank = "agent"'],
  ['context.mcp.command', '[context.mcp]\npreset = "ace"\ncommand = "./evil.sh"'],
  ['context.mcp.env.PATH', '[context.mcp]\npreset = "ace"\ncommand = "x"\nenv = { PATH = "/e" }'],
  ['context.mcp.arguments.q', '[context.mcp]\ntool = "t"\ncommand = "x"\narguments = { q = "x" }'],
  ['context.mcp.enabled', '[context.mcp]\nenabled = true\npreset = "ace"\ncommand = "x"'],
  ['context.mcp.timeout', '[context.mcp]\ntimeout = 600\npreset = "ace"\ncommand = "x"'],
  ['schemas.plan', '[schemas]\nplan = "plan.json"'],
  ['models.m.provider', '[models.m]\nprovider = "other"'],
  ['phases.build.is_destructive', '[phases.build]\nis_destructive = false'],
];

describe('an untrusted project cannot widen', () => {
  test.each(widening)('%s', async (key, toml) => {
    place.project(toml);
    const settings = await place.load();
    expect(settings.warnings).toEqual([expect.stringContaining('conclave config trust')]);
    expect(settings.warnings[0]).toContain(key);
    const from = settings.sources.find((one) => one.key === key)?.source.name;
    const partly = key === 'workflow.tools' || key === 'workflow.fallback_chain';
    expect(from === place.projectFile).toBe(partly);
  });

  test.each(widening)('%s, but a trusted one can', async (key, toml) => {
    place.project(toml);
    await trustProject(place);
    const settings = await place.load();
    expect(settings.warnings.filter((text) => text.includes('trust'))).toEqual([]);
    expect(settings.sources.find((one) => one.key === key)?.source.name).toBe(place.projectFile);
  });

  test('the list of agents beyond those of the user', async () => {
    place.project(`[workflow]\ntools = ["cat", "bee", "${analyst}"]\nfallback_chain = ["ant"]`);
    const { run } = await place.load();
    expect(run.tools).toEqual(['bee', analyst]);
    expect(run.fallback_chain).toEqual([]);
  });

  test('the list of agents at all where none of them is the user’s', async () => {
    place.project('[workflow]\ntools = ["cat", "nobody"]');
    expect((await place.load()).run.tools).toEqual(['ant', 'bee']);
  });
});

test('what starts a program, holds a secret or chooses a model never counts without trust', () => {
  const grave = settingsList.filter(
    ({ holds, isSecret, names, path }) =>
      holds !== undefined || isSecret === true || names === 'models' || path.endsWith('model'),
  );
  expect(grave.length).toBeGreaterThan(8);
  expect(grave.filter(({ untrusted }) => untrusted !== undefined)).toEqual([]);
});

describe('an untrusted project can narrow', () => {
  test.each([
    ['workflow.tools', '[workflow]\ntools = ["bee"]'],
    ['workflow.tools', '[workflow]\ntools = ["local"]'],
    ['workflow.fallback_chain', '[workflow]\nfallback_chain = []'],
    ['workflow.mode', '[workflow]\nmode = "serial"'],
    ['workflow.max_rounds', '[workflow]\nmax_rounds = 4'],
    ['workflow.constraints', '[workflow]\nconstraints = ["no new dependency"]'],
    ['workflow.require_convergence', '[workflow]\nrequire_convergence = true'],
    ['workflow.timeout', '[workflow]\ntimeout = 100'],
    ['agents.ant.enabled', '[agents.ant]\nenabled = false'],
    ['agents.ant.timeout', '[agents.ant]\ntimeout = 60'],
    ['agents.bee.timeout', '[agents.bee]\ntimeout = 100'],
    ['context.providers', '[context]\nproviders = ["search"]'],
    ['context.mcp.enabled', '[context.mcp]\nenabled = false'],
    ['context.max_files', '[context]\nmax_files = 30'],
    ['context.timeout', '[context]\ntimeout = 60'],
    ['phases.build.is_destructive', '[phases.build]\nis_destructive = true'],
  ])('%s', async (key, toml) => {
    place.project(toml);
    const settings = await place.load();
    expect(settings.warnings.filter((text) => text.includes('trust'))).toEqual([]);
    const source = settings.sources.find((one) => one.key === key)?.source.name;
    expect(source).toContain(place.projectFile);
  });

  test('and every key that does not count is named in one warning', async () => {
    place.project('[workflow]\nauto_yes = true\nmax_rounds = 2\n[agents.ant]\npath = "x"');
    const settings = await place.load();
    expect(settings.run.max_rounds).toBe(2);
    expect(settings.autoYes).toBe(false);
    expect(settings.agents['ant']?.path).toBe('ant');
    expect(settings.warnings).toHaveLength(1);
    expect(settings.warnings[0]).toContain('workflow.auto_yes, agents.ant.path');
  });
});

describe('trust', () => {
  test('ends when one byte changes, and comes back with the old content', async () => {
    const toml = '[workflow]\nauto_yes = true\n';
    place.project(toml);
    await trustProject(place);
    expect((await place.load()).autoYes).toBe(true);
    appendFileSync(place.projectFile, ' ');
    const changed = await place.load();
    expect(changed.autoYes).toBe(false);
    expect(changed.warnings).toHaveLength(1);
    place.project(toml);
    expect((await place.load()).autoYes).toBe(true);
  });

  test('is for one place: the same content elsewhere is asked about again', async () => {
    place.project('[agents.ant]\npath = "./ant.sh"');
    await trustProject(place);
    const other = makePlace();
    try {
      cpSync(place.projectFile, other.projectFile);
      const settings = await other.load({ env: { XDG_DATA_HOME: dataHome() } });
      expect(settings.warnings).toHaveLength(1);
    } finally {
      other.remove();
    }
  });

  test('is kept in a file that only the user can read, and can be taken back', async () => {
    place.project('[workflow]\nauto_yes = true');
    await trustProject(place);
    const store = trustFile(place.environment);
    expect(statSync(store).mode & 0o777).toBe(0o600);
    expect(await distrust(place.projectFile, store)).toBe(true);
    expect(await distrust(place.projectFile, store)).toBe(false);
    expect((await place.load()).autoYes).toBe(false);
  });

  test('keeps what was trusted elsewhere', async () => {
    place.project('[workflow]\nauto_yes = true');
    const store = trustFile(place.environment);
    await trust({ file: place.userFile, hash: 'a'.repeat(64) }, store);
    await trustProject(place);
    expect(Object.keys(JSON.parse(readFileSync(store, 'utf8')).trusted)).toHaveLength(2);
  });

  test('in a damaged file stops with its name', async () => {
    place.project('[workflow]\nmax_rounds = 1');
    await trustProject(place);
    writeFileSync(trustFile(place.environment), '{"version": 1');
    expect(await place.stop()).toMatch(/trust\.json: the file is damaged/);
  });
});

function dataHome(): string {
  return join(trustFile(place.environment), '../..');
}
