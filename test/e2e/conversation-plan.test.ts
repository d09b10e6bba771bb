import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { short } from '../helpers/short-form.ts';
import { askJson } from '../helpers/talk-rig.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import { witnessed } from '../helpers/vendors.ts';

/** Two vendors that plan and, asked anything else, answer in words. */
async function talkingVendors() {
  const rig = await twoVendors();
  for (const name of ['alpha', 'beta']) {
    const file = join(rig.home, `${name}.json`);
    const script = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...script, else: { answer: `${name} says avocado` } }));
  }
  return rig;
}

/** The text of a prompt below a heading, up to the next one. */
const sectionOf = (text: string, heading: string) =>
  text.split(`\n# ${heading}\n`)[1]?.split('\n# ')[0] ?? '';

test(
  'a conversation is handed to planning: each agent is told its turns as data, under a heading of their own',
  short,
  async () => {
    const rig = await talkingVendors();
    await askJson(rig, 'consult', '--session', 'mine', '--agent', 'alpha', 'Which format?');
    await askJson(rig, 'consult', '--session', 'mine', '--agent', 'beta', 'Print todos as JSON');
    const planned = await rig.conclave('plan', '-y', '--session', 'mine');
    expect(planned).toMatchObject({ code: 0 });
    expect(rig.json('session-state.json')).toMatchObject({
      task_description: 'Print todos as JSON',
    });
    const prompts = Object.entries(rig.contents(rig.session().slice(rig.repo.length + 1)))
      .filter(([path]) => path.endsWith('prompt.md'))
      .map(([, text]) => text);
    const asked = (phase: string) => prompts.filter((text) => text.includes(`"phase":"${phase}"`));
    for (const text of [...asked('propose'), ...asked('plan')]) {
      const said = sectionOf(text, 'The conversation so far');
      expect(said).toMatch(/^<<<\w+ data: the conversation so far$/m);
      expect(said).toContain('## Turn 1: alpha (alpha-model)\nalpha says avocado');
      expect(sectionOf(text, "The project's conventions")).not.toContain('avocado');
    }
    expect(asked('propose')).toHaveLength(2);
    expect(asked('plan')).toHaveLength(1);
  },
);

test('the task may be given beside the conversation, and an unknown one is refused before anything is saved', async () => {
  const rig = await talkingVendors();
  const unknown = await rig.conclave('plan', '-y', '--session', 'nobody', 'Print todos');
  expect(unknown.stderr).toContain('there is no conversation "nobody" in this project');
  expect(unknown.code).toBe(2);
  expect((await rig.conclave('sessions', '--json')).stdout.trim()).toBe('[]');
  await askJson(rig, 'consult', '--session', 'mine', '--agent', 'alpha', 'Which format?');
  await rig.conclave('plan', '-y', '--session', 'mine', 'Print the todos as JSON');
  expect(rig.json('session-state.json')).toMatchObject({
    task_description: 'Print the todos as JSON',
  });
});

test('with --role the agents plan in it, and sort without it; an unknown one is refused', async () => {
  const rig = await talkingVendors();
  const roles = join(rig.home, 'config/conclave/roles');
  mkdirSync(roles, { recursive: true });
  writeFileSync(join(roles, 'poet.md'), 'Be-brief\nand kind.');
  await rig.conclave('plan', '-y', '--role', 'poet', 'Print the todos as JSON');
  const roled = [...witnessed(rig, 'alpha'), ...witnessed(rig, 'beta')].flatMap(
    (line) => /^role:Be-brief ([a-z-]+)-\d /.exec(line)?.[1] ?? [],
  );
  expect(new Set(roled)).toEqual(new Set(['propose', 'plan', 'plan-review']));
  const unknown = await rig.conclave('plan', '-y', '--role', 'cook', 'Print the todos');
  expect(unknown.stderr).toContain('There is no role "cook". Known roles:');
  expect(unknown.code).toBe(2);
});
