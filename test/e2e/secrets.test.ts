// Puts keys of every form into every way that text comes in, and looks for them wherever it goes out.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { checkedPlan, todoEdits } from '../helpers/executed-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { mixed, tokens } from '../helpers/tokens.ts';
import { configureVendors, listSolution, stances } from '../helpers/vendors.ts';

const body = `${mixed(64)}\n`.repeat(6);
const pem = (kind: string) =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${body}-----END ${kind}PRIVATE KEY-----`;
/** Keys that have a form; of a private key, a line of it gives it away. */
const keys = [...tokens, ['pem', pem('')], ['openssh', pem('OPENSSH ')]] as const;
const shown = (key: string) => (key.includes('\n') ? mixed(64) : key);
/** Given away by a name, or by the file it stands in. */
const named = `Zq9${mixed(29)}`;
const inEnvironment = `env-${mixed(28)}`;
const all = keys.map(([, key]) => key).join('\n');
const secrets = [...keys.map(([, key]) => shown(key)), named, inEnvironment];

/** The project with keys in its files, their names and its history, and agents that tell them. */
async function tellingRig(): Promise<Rig> {
  const rig = await todoRig();
  const told = `${all}\nAPI_KEY=${named}\n${inEnvironment}`;
  const quoted = keys.map(([name, key]) => `// listTodos ${name}\nexport const a = \`${key}\`;`);
  rig.write('src/commands/list-keys.js', `${quoted.join('\n')}\nconst apiKey = "${named}";\n`);
  const tell = ['log', 'error'].map((how) => `console.${how}(${JSON.stringify(told)});\n`);
  rig.write('tell.js', `${tell.join('')}process.exitCode = Number(process.argv[2] ?? 0);\n`);
  const [, token = ''] = tokens[8] ?? [];
  rig.write(`src/commands/${token}.js`, '// listTodos\n');
  await rig.git('add', '.');
  await rig.git('commit', '-qm', `Tell listTodos ${token}\n\n${told}`);
  rig.write('.env', `APP=${named}\n`);
  rig.write('src/commands/list.js', `${rig.read('src/commands/list.js')}// ${token}\n`);
  Object.assign(rig.environment, { OPENAI_API_KEY: inEnvironment });
  const events = [
    { kind: 'tool-call', name: 'shell', detail: told, input: told },
    { kind: 'tool-output', output: told },
    { kind: 'command', command: told, exit_code: 0, output: told },
    { kind: 'warning', text: told },
    { kind: 'thinking', text: told },
    { kind: 'message', text: told, partial: false },
  ];
  const formed = `${all}\n${inEnvironment}`;
  const first = {
    ...checkedPlan.tasks[0],
    checks: [{ kind: 'command', argv: ['node', 'tell.js'] }],
  };
  const plan = {
    ...checkedPlan,
    plan: { ...checkedPlan.plan, approach: `Use ${formed}` },
    tasks: [{ ...first, description: formed, notes: [formed] }, ...checkedPlan.tasks.slice(1)],
  };
  const script = {
    propose: {
      events: events.map(hideNamed),
      stderr: formed,
      answer: {
        solutions: [listSolution({ summary: formed })],
        questions: [`Is ${formed} right?`],
      },
    },
    examine: { answer: stances({ A: 'support' }) },
    plan: { answer: plan },
    ...Object.fromEntries(
      Object.entries(todoEdits).map(([task, edits]) => [
        task,
        { ...edits, answer: `Done with ${formed}.`, stderr: formed },
      ]),
    ),
  };
  const failing = {
    else: {
      stderr: `refused ${formed}`,
      exit: 1,
      events: [{ kind: 'error', category: 'unknown', text: formed }],
    },
  };
  const setup = `[execution]\nsetup = ["node", "tell.js", "1"]\n`;
  configureVendors(rig, { alpha: script, beta: script, gamma: failing }, setup);
  return rig;

  /** What an agent says of a name is not looked at, as it quotes code. */
  function hideNamed(event: object): unknown {
    return JSON.parse(JSON.stringify(event).replaceAll(named, ''));
  }
}

/** The places among some texts in which a secret stands, with what is around it. */
function leaksIn(texts: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(texts).flatMap(([place, text]) => {
    const first = secrets.find((secret) => text.includes(secret)) ?? '';
    const count = secrets.filter((secret) => text.includes(secret)).length;
    const at = text.indexOf(first);
    return count === 0
      ? []
      : [`${count} in ${place}: ${text.slice(Math.max(0, at - 60), at + 12)}`];
  });
}

function filesOf(rig: Rig): Readonly<Record<string, string>> {
  const folder = rig.session();
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(
    files.map((path) => [path, readFileSync(join(folder, path), 'latin1')]),
  );
}

test('no key gets from anywhere into a file or onto a screen', async () => {
  const rig = await tellingRig();
  const seen: Record<string, string> = {};
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await rig.conclave(...words);
    seen[words.join(' ')] = `${stdout}\n${stderr}`;
    return code;
  };
  expect(await run('plan', '--auto-yes', '--max-rounds', '2', todoTask)).toBe(0);
  expect(seen[`plan --auto-yes --max-rounds 2 ${todoTask}`]).toContain(
    'The session keeps no copy of files with secrets: .env and src/commands/list.js.',
  );
  const id = basename(rig.session());
  expect(await run('execute', id, '--auto-yes', '--json')).toBe(7);
  expect(seen[`execute ${id} --auto-yes --json`]).toContain(
    'the set-up \\"node tell.js 1\\" failed',
  );
  rig.config(rig.configured().replace(', "1"]', ']'));
  await run('execute', id, '--auto-yes');
  const result = JSON.stringify(rig.json('execution-result.json'));
  expect(result).toContain('"check":"node tell.js"');
  expect(result).toContain('PRIVATE KEY-----[secret]');
  for (const words of [
    ['sessions', 'show', id],
    ['review', id, '--json'],
    ['report', id],
    ['validate', id],
    ['context', '--json', 'listTodos keys'],
    ['resume', id, '--auto-yes', '--json'],
  ]) {
    await run(...words);
  }
  expect(leaksIn({ ...seen, ...filesOf(rig) })).toEqual([]);
});
