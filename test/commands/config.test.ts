import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'smol-toml';
import { Config } from '../../src/model/published.ts';
import { configTemplate } from '../../src/commands/config-init.ts';
import { topicNames } from '../../src/commands/help-command.ts';
import { builtCli } from '../helpers/built.ts';
import { type Rig, makeRig } from '../helpers/rig.ts';
import { pagePath, withSettings } from '../tools/help-tables.ts';
import { makePlace } from '../app/settings/place.ts';

let rig: Rig;
beforeAll(() => {
  builtCli();
});
beforeEach(() => {
  rig = makeRig();
  mkdirSync(join(rig.repo, '.git'));
});
afterEach(() => {
  rig.remove();
});

const userFile = () => join(rig.home, 'config/conclave/config.toml');

describe('config show', () => {
  test('names the source of each setting', async () => {
    rig.config('[workflow]\nmax_rounds = 5\n');
    rig.write('conclave.toml', '[workflow]\nrequire_convergence = true\nauto_yes = true\n');
    const { code, stdout, stderr } = await rig.conclave('config');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^SETTING +VALUE +SOURCE\n/);
    expect(stdout).toMatch(/\nworkflow\.mode +"parallel" +default\n/);
    expect(stdout).toMatch(new RegExp(`\nworkflow.max_rounds +5 +${userFile()}\n`));
    expect(stdout).toMatch(/\nworkflow\.require_convergence +true +\/.*\/conclave\.toml\n/);
    expect(stdout).toMatch(/\nworkflow\.auto_yes +false +default\n/);
    expect(stderr).toContain('conclave.toml is not trusted');
    expect(stderr).toContain('workflow.auto_yes');
  });

  test('hides the variables of agents', async () => {
    rig.config('[agents.ant]\npath = "ant"\nenv = { ANT_KEY = "secret" }\n');
    for (const flags of [[], ['--json']]) {
      const { stdout } = await rig.conclave('config', 'show', ...flags);
      expect(stdout).toContain('agents.ant.env');
      expect(stdout).not.toContain('secret');
    }
  });
});

describe('config init', () => {
  test('writes a private file that changes nothing, and never a second time', async () => {
    const before = (await rig.conclave('config', 'show', '--json')).stdout;
    expect(await rig.conclave('config', 'init')).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(userFile()).mode & 0o777).toBe(0o600);
    expect((await rig.conclave('config', 'show', '--json')).stdout).toBe(before);
    const { code, stderr } = await rig.conclave('config', 'init');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `conclave: There are settings already: ${userFile()}\n`,
    });
  });

  test('writes settings that fit when their marks are taken away', () => {
    const lines = configTemplate()
      .split('\n')
      .map((line) => line.replace(setting, '$1'));
    const parsed = Config.safeParse(parse(lines.join('\n')));
    expect(parsed.error?.issues).toBeUndefined();
    expect(Object.keys(parsed.data ?? {}).length).toBeGreaterThanOrEqual(5);
  });
});

const setting = /^# (\w+ = .*)$/;
const templateLines = configTemplate().split('\n');
const settings = templateLines.flatMap((line, at) => (setting.test(line) ? [[line, at]] : []));

describe('each line of the settings file that config init writes', () => {
  test.each(settings)('holds alone when its mark is taken away: %s', async (_, chosen) => {
    const place = makePlace();
    const lines = templateLines.map((line, at) =>
      at === chosen ? line.replace(setting, '$1') : line,
    );
    place.user(lines.join('\n'));
    const { sources } = await place.load();
    expect(sources.map(({ source }) => source.name)).toContain(place.userFile);
  });
});

describe('config trust', () => {
  beforeEach(() => {
    rig.write('conclave.toml', '[workflow]\nauto_yes = true\n[agents.ant]\npath = "./ant"\n');
  });

  test('shows what it would allow and asks; without a person it needs -y', async () => {
    const { code, stdout, stderr } = await rig.conclave('config', 'trust');
    expect(code).toBe(2);
    expect(stdout).toContain('workflow.auto_yes = true\n');
    expect(stdout).toContain(`agents.ant.path = "${join(rig.repo, 'ant')}"\n`);
    expect(stderr).toContain('add -y');
    expect((await rig.conclave('config', 'show')).stdout).toMatch(/workflow\.auto_yes +false/);
  });

  test('holds until the file changes or the trust is taken back', async () => {
    expect(await rig.conclave('config', 'trust', '-y')).toMatchObject({ code: 0 });
    const shown = await rig.conclave('config', 'show');
    expect(shown.stdout).toMatch(/\nworkflow\.auto_yes +true +\//);
    expect(shown.stderr).toBe('');
    expect((await rig.conclave('config', 'untrust')).stdout).toContain('no longer trusted');
    expect((await rig.conclave('config', 'show')).stdout).toMatch(/workflow\.auto_yes +false/);
  });

  test('can be taken back even where the trusted settings do not hold', async () => {
    rig.write('conclave.toml', '[workflow]\ntools = ["nobody"]\n');
    await rig.conclave('config', 'trust', '-y');
    expect(await rig.conclave('config')).toMatchObject({ code: 2 });
    expect(await rig.conclave('config', 'untrust')).toMatchObject({ code: 0 });
    expect(await rig.conclave('config')).toMatchObject({ code: 0 });
  });

  test('says one document with --json', async () => {
    const { stdout } = await rig.conclave('config', 'trust', '-y', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      trusted: true,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      allows: [{ key: 'workflow.auto_yes', value: true }, { key: 'agents.ant.path' }],
    });
    const store = readFileSync(join(rig.home, 'data/conclave/trust.json'), 'utf8');
    expect(store).toContain(JSON.parse(stdout).sha256);
  });
});

const pages = topicNames().map((name) => readFileSync(pagePath(name), 'utf8'));
const examples = [...pages.join('\n').matchAll(/^```toml\n(.*?)^```$/gms)].map(
  ([, toml = '']) => toml,
);

test.each(examples)('an example of the help holds as it is pasted: %s', async (toml) => {
  const place = makePlace();
  place.user(toml);
  const { sources, warnings } = await place.load();
  expect(sources.map(({ source }) => source.name)).toContain(place.userFile);
  expect(warnings).toEqual([]);
});

test('the help has examples of a settings file', () => {
  expect(examples.length).toBeGreaterThanOrEqual(2);
});

test('the settings of the help are those of the program (else run "npm run schemas")', () => {
  const text = readFileSync(pagePath('settings'), 'utf8');
  expect(text).toBe(withSettings(text));
});
