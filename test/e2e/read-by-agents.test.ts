// Tells where an agent read what others answered: in the folder of our own sessions.
import { expect, test } from 'vitest';
import { calmVendor } from '../helpers/planned-rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors } from '../helpers/vendors.ts';

const journal = '.workflow/.multi-cli-plan/MCP-other-2026-01-01-abcd/journal.jsonl';

test.each([
  ['opens', { kind: 'file-read', path: journal }],
  ['finds', { kind: 'tool-output', output: `src/a.js:1:x\n${journal}:3:the others’ answers\n` }],
  ['prints', { kind: 'command', command: `cat ${journal}`, exit_code: 0 }],
])(
  'an agent that %s a file of a session is told with it, live and after',
  short,
  async (_, event) => {
    const rig = await todoRig();
    const propose = { ...calmVendor.propose, events: [event] };
    configureVendors(rig, { alpha: { ...calmVendor, propose } });
    const told = `alpha read ${journal}, where the answers of others are.`;
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect({ code, isTold: stdout.includes(told) }).toEqual({ code: 0, isTold: true });
    expect(
      (await rig.conclave('resume', '--auto-yes', '--json', rig.session().split('/').at(-1) ?? ''))
        .stdout,
    ).toContain(told);
    expect(await rig.conclave('sessions', 'list')).toMatchObject({ code: 0 });
  },
);
