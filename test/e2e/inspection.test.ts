import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { adapters } from '../../src/agents/cli/list.ts';
import { analystNames } from '../../src/model/agent-settings.ts';
import { publishedShapes } from '../../src/model/published.ts';
import { builtCli } from '../helpers/built.ts';
import { type Rig, fixture, makeRig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';

let rig: Rig;
beforeAll(async () => {
  builtCli();
  rig = makeRig();
  rig.write('src/greeting.ts', 'export const greeting = 1;\n');
  await rig.git('init', '-q');
  await rig.git('add', '.');
  await rig.git('commit', '-qm', 'Add greeting');
  rig.config(`
[agents.ant]
path = ${JSON.stringify(process.execPath)}
vendor = "acme"
model = "m-1"
[agents.bee]
path = "/nowhere/bee"
[agents.cat]
path = "/nowhere/cat"
enabled = false
[agents.claude]
path = ${JSON.stringify(fixture('help'))}
`);
});
afterAll(() => {
  rig.remove();
});

const Agents = z.array(
  z.looseObject({ name: z.string(), kind: z.string(), state: z.string(), part: z.string() }),
);

describe('agents', () => {
  test('shows every agent with its state, in a table and as JSON', short, async () => {
    const table = await rig.conclave('agents');
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout).toMatch(/^AGENT +BY +STATE +VERSION +MODEL +VENDOR +PART/);
    const { stdout } = await rig.conclave('agents', '--json');
    const agents = Agents.parse(JSON.parse(stdout));
    expect(agents.map(({ name }) => name)).toEqual([
      ...adapters.map(({ name }) => name),
      'ant',
      'bee',
      'cat',
      ...analystNames,
    ]);
    const byName = new Map(agents.map((agent) => [agent.name, agent]));
    expect(byName.get('ant')).toMatchObject({
      kind: 'model',
      state: 'ready',
      version: process.version.slice(1),
      path: process.execPath,
      model: 'm-1',
      vendor: 'acme',
      part: 'asked',
    });
    expect(byName.get('ant')).toHaveProperty('login_state', 'unknown');
    expect(byName.get('bee')).toMatchObject({ state: 'not-installed', part: 'not used' });
    expect(byName.get('cat')).toMatchObject({ state: 'disabled', part: 'not used' });
    for (const name of analystNames) {
      expect(byName.get(name)).toMatchObject({
        kind: 'analyst',
        state: 'ready',
        part: 'backup',
      });
    }
  });
});

describe('an agent by its name', () => {
  test('is told alone, and a wrong name with the nearest one', async () => {
    const { stdout } = await rig.conclave('agents', 'ant', '--json');
    expect(Agents.parse(JSON.parse(stdout)).map(({ name }) => name)).toEqual(['ant']);
    const { code, stderr } = await rig.conclave('agents', 'clade');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('There is no agent "clade". Did you mean claude?'),
    });
  });

  test.each([
    ['opus[1m]', { name: 'opus-1m', model: 'opus[1m]', part: 'not used', version: '4.5.6' }],
    ['claude-code', { name: 'claude', model: null }],
    ['structure', { name: 'structure', kind: 'analyst' }],
  ])('may be that of a model, or another name that people have: %s', async (name, report) => {
    const { stdout } = await rig.conclave('agents', name, '--json');
    expect(JSON.parse(stdout)).toMatchObject([report]);
  });

  test(
    'is explained: how it is called with each permission, and what that does not enforce',
    short,
    async () => {
      const { stdout } = await rig.conclave('agents', 'claude');
      expect(stdout).toMatch(/^read-only +file_read\n[^]*--tools=Read,Grep,Glob/m);
      expect(stdout).toMatch(/^edit-and-shell [^]*not enforced: a command[^]*^full /m);
      expect(stdout).toMatch(/^isolation +flags \(of flags, home, none\)$/m);
      const explained = await rig.conclave('agents', 'codex', '--json');
      const calls = [
        {
          permission: 'read-only',
          not_enforced: [expect.stringContaining('sandbox'), expect.stringContaining('may read')],
        },
        { permission: 'edit' },
        { permission: 'edit-and-shell', not_enforced: [expect.stringContaining('may read')] },
        { permission: 'full' },
      ];
      expect(JSON.parse(explained.stdout)).toMatchObject([{ name: 'codex', calls }]);
    },
  );
});

describe('an agent that is not logged in', () => {
  test('is shown so, with its version and what to type', async () => {
    const { stdout: table } = await rig.conclave('agents');
    expect(table).toMatch(/\nclaude +cli +not logged in +4\.5\.6 .*Log in: claude auth login\./);
    const { stdout } = await rig.conclave('agents', '--json');
    expect(Agents.parse(JSON.parse(stdout)).find(({ name }) => name === 'claude')).toMatchObject({
      state: 'not-logged-in',
      login_state: 'logged-out',
      version: '4.5.6',
      why: 'it has neither a login nor a key',
      remedy: 'Log in: claude auth login.',
    });
  });

  test('is named by doctor with its remedy', async () => {
    const { stdout } = await rig.conclave('doctor');
    expect(stdout).toMatch(/\nclaude +cli +\S*help\.mjs +4\.5\.6 .* logged out .*; tested with/);
    expect(stdout).toMatch(/\n {2}claude: Log in: claude auth login\.\n/);
  });
});

describe('doctor', () => {
  test('says what is there, and how to mend what is not', short, async () => {
    const { code, stdout } = await rig.conclave('doctor');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^CHECK +STATE +FOUND\n/);
    expect(stdout).toContain(`${process.version} (${process.execPath})`);
    expect(stdout).toMatch(/\ngit +ok +git version /);
    expect(stdout).toMatch(/\nripgrep +ok +ripgrep /);
    expect(stdout).toMatch(/\nbee +cli +not installed +- +- +- +- +- +- +"\/nowhere\/bee" is not/);
    expect(stdout).toMatch(/\nant +cli +\/.* +m-1 +acme +unknown +a confinement of ours +-\n/);
    expect(stdout).toMatch(
      /\nstructure +built in +- +\d+ +- +- +- +needs none +uses no model +-\n/,
    );
    expect(stdout).toMatch(/\nWhat you can do:\n(?: {2}.*\n)* {2}bee: /);
    expect(stdout).toContain('Only ant is ready');
  });

  test('tells of an installed version what it is not tested with, and the flags it does not know', async () => {
    const right = rig.configured();
    const env = { STATUS: '--tools --model NAME --output-format' };
    rig.config(`[agents.claude]\npath = ${JSON.stringify(fixture('help'))}
env = { STATUS = "${env.STATUS}", ANTHROPIC_API_KEY = "k" }\n`);
    const { code, stdout } = await rig.conclave('doctor');
    rig.config(right);
    expect(code).toBe(0);
    const [row = ''] = /^claude .*/m.exec(stdout) ?? [];
    expect(row).toMatch(
      / 2\.1\.x +.*only its reading tools .*tested with 2\.1\.x; yours is 4\.5\.6;/,
    );
    expect(row).toMatch(/does not list --input-format, .*--safe-mode/);
    expect(row).not.toMatch(/--(?:tools|model|output-format)\b/);
    expect(stdout).toContain('  claude: Runs of claude may fail; install version 2.1.x.\n');
  });
});

test('doctor says what is wrong with the settings, and of the rest what it can', async () => {
  const right = rig.configured();
  rig.config('[workflow]\nmax_round = 2\n');
  const { code, stdout, stderr } = await rig.conclave('doctor');
  const json = await rig.conclave('doctor', '--json');
  rig.config(right);
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  expect(stdout).toMatch(
    /\nyour settings +missing +.*config\.toml:2: workflow\.max_round is not known/,
  );
  expect(stdout).toMatch(/\n {2}your settings: Fix it; /);
  expect(stdout).toMatch(/\ngit +ok +git version /);
  expect(json.code).toBe(2);
  expect(JSON.parse(json.stdout)).toHaveProperty(
    'checks',
    expect.arrayContaining([
      expect.objectContaining({ name: 'your settings', state: 'missing' }),
      expect.objectContaining({ name: 'git', state: 'ok' }),
    ]),
  );
});

test('doctor says that git refuses the repository, and of the rest what it can', async () => {
  const settings = join(rig.repo, '.git/config');
  const right = readFileSync(settings, 'utf8');
  writeFileSync(settings, '[broken\n');
  const { code, stdout, stderr } = await rig.conclave('doctor');
  writeFileSync(settings, right);
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  expect(stdout).toMatch(/\nrepository +missing +git cannot read .*bad config line 1/);
  expect(stdout).toMatch(/\nant +cli +\/\S+ +\d/);
  const { stdout: mended } = await rig.conclave('doctor');
  expect(mended).toMatch(/\nrepository +ok +/);
});

test('schema prints one as it is published, and the names of all', short, async () => {
  const file = new URL('../../schemas/plan.schema.json', import.meta.url);
  const { code, stdout } = await rig.conclave('schema', 'plan');
  expect({ code, stdout }).toEqual({ code: 0, stdout: readFileSync(file, 'utf8') });
  const names = await rig.conclave('schema');
  expect(names.stdout).toBe(`${Object.keys(publishedShapes).toSorted().join('\n')}\n`);
});
