// Lets agents try to answer for the person: from within their own runs they call the program.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { plannedRig } from '../helpers/planned-rig.ts';
import { type Rig, program } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { configureVendors } from '../helpers/vendors.ts';

const answerless = 'Inside the run of an agent, nobody may answer for the person';

/** Has an agent run these lines of a shell while it works; resolves to what each printed. */
async function tryInAgent(rig: Rig, lines: readonly string[]): Promise<readonly string[]> {
  const places = lines.map((_, at) => join(rig.home, `said-${at}`));
  const script = lines.map((line, at) => `{ ${line}; echo "code $?"; } > ${places[at]} 2>&1`);
  const file = join(rig.home, 'tries.sh');
  writeFileSync(file, `cd ${rig.repo}\n${script.join('\n')}\ntrue\n`);
  configureVendors(rig, { alpha: { else: { answer: 'Done.', runs: [['sh', file]] } } });
  expect((await rig.conclave('work', '--agent', 'alpha', 'Go on.')).code).toBe(0);
  return places.map((place) => readFileSync(place, 'utf8'));
}

const conclave = (...words: readonly string[]) => [process.execPath, program, ...words].join(' ');

/** The environment of the user, and nothing else: no mark of the run. */
const cleared = ({ environment }: Rig) =>
  `env -i ${Object.entries(environment)
    .filter(([, text]) => text !== undefined && !/[\s'"]/.test(text))
    .map(([name, text]) => `${name}='${text}'`)
    .join(' ')}`;

test(
  'an agent approves, carries out and trusts nothing of its user, with or without its mark',
  short,
  async () => {
    const rig = await plannedRig();
    const id = basename(rig.session());
    rig.write('conclave.toml', '[execution]\nconfine = false\n');
    const ways = [
      ['review', id, '--approve'],
      ['execute', id, '-y'],
      ['resume', id, '-y', '--auto-execute'],
      ['plan', '-y', '--auto-execute', '--tools', 'local', 'Add_a_flag'],
      ['sessions', 'trust', id, '-y'],
      ['config', 'trust', '-y'],
      ['mcp', 'install', 'claude', '-y'],
      ['config', 'init'],
      ['sessions', 'rm', id, '-y'],
      ['work', '--agent', 'alpha', 'Change_all'],
      ['consult', '--agent', 'alpha', 'What_is_it'],
      ['install', 'opencode', '-y'],
    ].map((words) => conclave(...words));
    const copied = `mkdir -p $HOME/copy && cp -r $XDG_DATA_HOME/conclave $HOME/copy/ && XDG_DATA_HOME=$HOME/copy ${ways[0]}`;
    const own = `XDG_DATA_HOME=$HOME/own ${ways[5]}`;
    const tries = [...ways, ...ways.map((way) => `${cleared(rig)} ${way}`), copied, own];
    const said = await tryInAgent(rig, tries);
    for (const [at, text] of said.entries()) {
      expect({ way: tries[at], text }).toMatchObject({ text: expect.stringContaining(answerless) });
      expect(text).toContain('code 2');
    }
    expect(existsSync(join(rig.repo, '.workflow/.multi-cli-plan', id, 'approval.json'))).toBe(
      false,
    );
    expect(existsSync(join(rig.home, 'config/opencode'))).toBe(false);
    expect((await rig.conclave('review', id, '--approve')).code).toBe(0);
  },
);

test(
  'within an agent the program looks at sessions, and a data folder of its own has its own',
  short,
  async () => {
    const rig = await plannedRig();
    const id = basename(rig.session());
    const other = `mkdir -p $HOME/elsewhere && cd $HOME/elsewhere && echo 'export const listTodos = 1;' > list.js`;
    const said = await tryInAgent(rig, [
      conclave('review', id),
      conclave('sessions', 'list'),
      `(${other} && XDG_DATA_HOME=$HOME/own ${conclave('plan', '-y', '--tools', 'local', 'listTodos')})`,
      `XDG_DATA_HOME=$HOME/own ${conclave('review', id, '--approve')}`,
    ]);
    expect(said.slice(0, 3).map((text) => text.split('\n').at(-2))).toEqual([
      'code 0',
      'code 0',
      'code 0',
    ]);
    expect(said[3]).toContain(`Session ${id} is not known to be yours`);
  },
);
