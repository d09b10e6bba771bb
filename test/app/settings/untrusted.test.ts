import { appendFileSync, cpSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { trustFile } from '../../../src/app/folders.ts';
import { setTrust } from '../../../src/app/settings/project.ts';
import { settingsList } from '../../../src/model/settings.ts';
import { type Place, makePlace } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace(`
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
[budget]
usd = 2
`);
});

const sourceOf = async (key: string) =>
  (await place.load()).sources.find((one) => one.key === key)?.source.name;

/** What a project asks for beyond what the user allows, and where it would show. */
const widening: readonly (readonly [key: string, toml: string])[] = [
  ['agents.ant.path', '[agents.ant]\npath = "./evil.sh"'],
  ['agents.ant.env', '[agents.ant.env]\nPATH = "/evil"'],
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
  ['budget.usd', '[budget]\nusd = 3'],
  ['context.mcp.command', '[context.mcp]\npreset = "ace"\ncommand = ["./evil.sh"]'],
  ['context.mcp.env', '[context.mcp]\npreset = "ace"\ncommand = ["x"]\nenv = { PATH = "/e" }'],
  ['mcp.may', '[mcp]\nmay = ["write"]'],
  ['schemas.plan', '[schemas]\nplan = "plan.json"'],
  ['models.m.usd_per_million', '[models.m]\nusd_per_million = { input = 0, output = 0 }'],
];

test.each(widening)(
  '%s of an untrusted project does not count, of a trusted one it does',
  async (key, toml) => {
    place.project(toml);
    expect(await sourceOf(key)).not.toBe(place.projectFile);
    const { warnings } = await place.load();
    expect(warnings).toEqual([expect.stringMatching(`${key}[, .].*conclave config trust`)]);
    await place.trust();
    expect(await sourceOf(key)).toBe(place.projectFile);
    expect((await place.load()).warnings).toEqual([]);
  },
);

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
    ['workflow.require_convergence', '[workflow]\nrequire_convergence = true'],
    ['agents.ant.enabled', '[agents.ant]\nenabled = false'],
    ['agents.ant.timeout', '[agents.ant]\ntimeout = 60'],
    ['agents.bee.timeout', '[agents.bee]\ntimeout = 100'],
    ['budget.usd', '[budget]\nusd = 1'],
    ['budget.tokens', '[budget]\ntokens = 1000'],
    ['context.providers', '[context]\nproviders = ["search"]'],
    ['phases.build.is_destructive', '[phases.build]\nis_destructive = true'],
  ])('%s', async (key, toml) => {
    place.project(toml);
    expect((await place.load()).warnings).toEqual([]);
    expect(await sourceOf(key)).toContain(place.projectFile);
  });

  test('and every key that does not count is named in one warning', async () => {
    place.project('[workflow]\nauto_yes = true\nmax_rounds = 2\n[agents.ant]\npath = "x"');
    const settings = await place.load();
    expect(settings.run.max_rounds).toBe(2);
    expect(settings.warnings).toEqual([
      expect.stringContaining('workflow.auto_yes, agents.ant.path'),
    ]);
  });
});

describe('trust', () => {
  beforeEach(() => place.project('[workflow]\nauto_yes = true\n'));

  test('ends when one byte changes, and comes back with the old content', async () => {
    await place.trust();
    expect((await place.load()).autoYes).toBe(true);
    appendFileSync(place.projectFile, ' ');
    expect((await place.load()).autoYes).toBe(false);
    place.project('[workflow]\nauto_yes = true\n');
    expect((await place.load()).autoYes).toBe(true);
  });

  test('is for one file: the same content elsewhere is not trusted, and trust in it adds up', async () => {
    await place.trust();
    const other = makePlace();
    cpSync(place.projectFile, other.projectFile);
    cpSync(trustFile(place.environment), trustFile(other.environment));
    expect((await other.load()).autoYes).toBe(false);
    await setTrust(other.projectFile, 'a'.repeat(64), trustFile(place.environment));
    expect((await place.load()).autoYes).toBe(true);
  });

  test('is kept in a file that only the user can read, and can be taken back', async () => {
    await place.trust();
    const store = trustFile(place.environment);
    expect(statSync(store).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(store)).mode & 0o777).toBe(0o700);
    expect(await setTrust(place.projectFile, null, store)).toBe(true);
    expect(await setTrust(place.projectFile, null, store)).toBe(false);
    expect((await place.load()).autoYes).toBe(false);
  });
});

test('constraints of an untrusted project are its own word, of a trusted one the user’s', async () => {
  place.project('[workflow]\nconstraints = ["No new\\ndependency", " "]');
  const { run, context, warnings } = await place.load();
  expect(run.constraints).toEqual([]);
  const text = "The project's constraints:\n- No new dependency";
  expect(context.facts).toEqual([{ source: 'conclave.toml', text }]);
  expect(warnings).toEqual([
    expect.stringContaining('are told its constraints as the project’s word and not as yours: "No'),
  ]);
  await place.trust();
  const trusted = await place.load();
  expect(trusted.run.constraints).toEqual(['No new\ndependency']);
  expect({ facts: trusted.context.facts, warnings: trusted.warnings }).toEqual({
    facts: [],
    warnings: [],
  });
});

test('an agent that a project switches off is named with the file that does so', async () => {
  place.project('[agents.ant]\nenabled = false');
  expect((await place.load()).agents['ant']).toMatchObject({
    enabled: false,
    enabledBy: place.projectFile,
  });
});

test('code before approval is turned on by the user alone, even where the project is trusted', async () => {
  const key = 'workflow.code_before_approval';
  place.project('[workflow]\ncode_before_approval = "on"\n');
  expect((await place.load()).execution.codeBeforeApproval).toBe('ask');
  await place.trust();
  expect((await place.load()).execution.codeBeforeApproval).toBe('ask');
  place.project('[workflow]\ncode_before_approval = "off"\n');
  expect((await place.load()).execution.codeBeforeApproval).toBe('off');
  expect(await sourceOf(key)).toContain('conclave.toml');
});

test.each(['command = ["./evil.sh"]', 'detail = true'])(
  'how the user is told of a session is theirs alone, whether a project is trusted or not: %s',
  async (line) => {
    place.project(`[notify]\n${line}\n`);
    await place.trust();
    expect(await sourceOf(`notify.${line.split(' ')[0]}`)).not.toBe(place.projectFile);
  },
);
