import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withSetting } from '../../src/app/settings/edit-config.ts';
import { commands } from '../../src/commands/config-command.ts';
import { exitCodeOf, Stopped } from '../../src/model/failure.ts';
import { builtCli } from '../helpers/built.ts';
import { type Rig, makeRig } from '../helpers/rig.ts';

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
const set = (...words: readonly string[]) => rig.conclave('config', 'set', ...words);
const unset = (...keys: readonly string[]) => rig.conclave('config', 'unset', ...keys);
const written = () => readFileSync(userFile(), 'utf8');
function write(text: string): void {
  mkdirSync(dirname(userFile()), { recursive: true });
  writeFileSync(userFile(), text);
}

/** Why it refuses. */
async function rejection(refusing: () => Promise<unknown>): Promise<Stopped> {
  const thrown = await refusing().catch((error: unknown) => error);
  if (!(thrown instanceof Stopped)) throw new Error('it refused nothing', { cause: thrown });
  return thrown;
}

describe('config set', () => {
  test('makes a private file, says which, and the setting counts', async () => {
    expect(await set('workflow.max_rounds', '2')).toEqual({
      code: 0,
      stdout: `Wrote ${userFile()}:\n  workflow.max_rounds = 2\n`,
      stderr: '',
    });
    expect(written()).toBe('[workflow]\nmax_rounds = 2\n');
    expect(statSync(userFile()).mode & 0o777).toBe(0o600);
    const { stdout } = await rig.conclave('config', 'show');
    expect(stdout).toMatch(new RegExp(`\nworkflow.max_rounds +2 +${userFile()}\n`));
  });

  test('keeps comments, order and all else that the file has', async () => {
    write(
      '# mine\n[workflow] # how\nmode = "serial" # slow "but" # fine\n# the rest\n[budget]\nusd = 2\n',
    );
    expect((await set('workflow.mode', 'parallel', 'workflow.tools', 'claude, codex')).code).toBe(
      0,
    );
    expect((await set('budget.usd', '2.5')).code).toBe(0);
    expect(written()).toBe(
      '# mine\n[workflow] # how\ntools = ["claude","codex"]\nmode = "parallel" # slow "but" # fine\n# the rest\n[budget]\nusd = 2.5\n',
    );
  });

  test('takes lists and tables as TOML writes them, and names in quotes', async () => {
    expect((await set('execution.setup', '["npm", "ci, please"]')).code).toBe(0);
    expect(
      (await set('models."qwen3:14b".usd_per_million', '{ input = 1, output = 2 }')).code,
    ).toBe(0);
    expect((await set('phases.execution.is_destructive', 'yes')).code).toBe(0);
    expect(written()).toContain('setup = ["npm","ci, please"]');
    expect(written()).toContain(
      '[models."qwen3:14b"]\nusd_per_million = { input = 1, output = 2 }',
    );
    expect(written()).toContain('[phases.execution]\nis_destructive = true');
  });

  test('sets what only holds together at once', async () => {
    const model = ['agents.mine.model', 'gpt-9'];
    expect((await set(...model)).stderr).toContain(
      'agents.mine.model names "mine", and there is no',
    );
    expect((await set('agents.mine.provider', 'openai', ...model)).code).toBe(0);
  });

  test('says where another source wins', async () => {
    rig.write('conclave.toml', '[workflow]\nmax_rounds = 1\n');
    const { stdout } = await set('workflow.max_rounds', '2');
    expect(stdout).toContain(
      `workflow.max_rounds = 2 (here ${join(rig.repo, 'conclave.toml')} says otherwise)`,
    );
  });

  test('takes a value back, says what counts then, and touches nothing else', async () => {
    const text =
      '[workflow] # how\nmax_rounds = 2 # few\nmode = "serial"\ntools = [\n  "claude",\n]\n';
    write(text);
    expect(await unset('workflow.max_rounds')).toEqual({
      code: 0,
      stdout: `Wrote ${userFile()}:\n  workflow.max_rounds = 3 (default)\n`,
      stderr: '',
    });
    expect(written()).toBe(text.replace('max_rounds = 2 # few\n', ''));
    for (const key of ['workflow.max_rounds', 'workflow.tools']) {
      const { code, stderr } = await unset(key);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `conclave: ${key} has no line of its own in ${userFile()}. Nothing was written.\n`,
      });
    }
    expect(await unset('nothing')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no setting "nothing".'),
    });
    expect(written()).toContain('tools = [');
  });

  test('says one document with --json', async () => {
    const { stdout } = await set('--json', 'workflow.notify', 'off');
    expect(JSON.parse(stdout)).toEqual({
      file: userFile(),
      set: [{ key: 'workflow.notify', value: false }],
    });
  });

  test.each([
    [
      ['workflow.max_round', '2'],
      'There is no setting "workflow.max_round". Did you mean workflow.max_rounds?',
    ],
    [['max_rounds', '2'], 'There is no setting "max_rounds". Did you mean workflow.max_rounds?'],
    [['nothing', '2'], 'There is no setting "nothing". "conclave help settings" lists them.'],
    [['workflow', '2'], 'There is no setting "workflow".'],
    [
      ['workflow.max_rounds', 'many'],
      'workflow.max_rounds must be an integer, not "many". Nothing was written.',
    ],
    [
      ['workflow.max_rounds', ''],
      'workflow.max_rounds must be an integer, not "". Nothing was written.',
    ],
    [['agent.model', ''], 'agent.model needs a value. Nothing was written.'],
    [['workflow.mode', 'both'], 'workflow.mode must be one of "parallel", "serial", not "both".'],
    [['agent.cli', 'nobody'], 'agent.cli names "nobody", and there is no such agent with a model.'],
    [['execution.setup', '["npm"'], 'execution.setup: ["npm" is not a value as TOML writes it.'],
    [['agents.Mine.path', 'x'], 'agents.Mine is not the name of an agent;'],
    [
      ['workflow.mode', 'serial', 'workflow.notify'],
      '"conclave config set" takes a KEY with its VALUE',
    ],
  ])('%j is refused in one sentence, and nothing is written', async (words, said) => {
    write('[workflow]\nmode = "parallel"\n');
    const { repo: root, environment } = rig;
    const refused = await rejection(
      async () =>
        await commands.set({ cwd: root, root, environment, json: false, yes: false }, words),
    );
    expect(exitCodeOf(refused.failure)).toBe(2);
    expect(refused.message).toContain(said);
    expect(refused.message).not.toContain('\n');
    expect(written()).toBe('[workflow]\nmode = "parallel"\n');
  });

  test('a form of the file that it cannot change is left to the user', async () => {
    const inline = 'workflow = { mode = "serial" }\n';
    write(inline);
    const { code, stderr } = await set('workflow.mode', 'parallel');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('write this line there yourself: workflow.mode = "parallel"'),
    });
    expect(written()).toBe(inline);
  });
});

test.each([
  ['a = """\n[workflow]\nmode = "x"\n"""\n', null],
  ['[workflow]\nmode = "serial"\nmode = "serial"\n', null],
  ['[workflow]\nmode = """\nserial"""\n', null],
  ['workflow.mode = "serial"\n', 'workflow.mode = "parallel"\n'],
])('an edit that would change anything else is none: %j', (text, edited) => {
  expect(withSetting(text, ['workflow', 'mode'], 'parallel')).toBe(edited);
});
