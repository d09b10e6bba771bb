// Plans a task by `conclave plan --json --stdin-events`: shows what happens, and answers what is asked.
// Start it with: node example.mjs "Add a --json flag"
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [conclave = 'conclave', ...first] = (process.env.CONCLAVE ?? 'conclave').split(' ');
const task = process.argv.slice(2).join(' ');
const child = spawn(conclave, [...first, 'plan', '--json', '--stdin-events', task], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const send = (line) => child.stdin.write(`${JSON.stringify(line)}\n`);

/** Your own code asks the user here; this takes the first answers, and leaves plan and code to them. */
function answer({ id, kind, fields }) {
  if (kind !== 'clarify' && kind !== 'decide') return { type: 'skip', id };
  const firsts = fields.flatMap(({ name, choices }) =>
    choices.length === 0 ? [] : [[name, choices[0].value]],
  );
  if (firsts.length === 0) return { type: 'skip', id };
  return { type: 'answer', id, values: Object.fromEntries(firsts) };
}

const show = {
  'agent.started': ({ agent }) => `${agent} is asked`,
  'agent.replaced': ({ agent, instead_of }) => `${agent} replaces ${instead_of}`,
  'options.presented': ({ options }) => options.map((o) => `${o.number}. ${o.name}`).join('\n'),
  'decision.made': ({ option }) =>
    option === null ? 'No option was taken' : `Taken: ${option.name}`,
  'plan.written': ({ task_list: tasks }) => tasks.map((t) => `${t.id}: ${t.title}`).join('\n'),
  'input.refused': ({ reason }) => reason,
  'session.finished': ({ message }) => message,
};

createInterface({ input: child.stdout }).on('line', (line) => {
  const event = JSON.parse(line);
  if (!event.replayed && event.type in show) console.log(show[event.type](event));
  if (event.type === 'answer.awaited') send(answer(event));
});
child.on('close', (code) => (process.exitCode = code ?? 1));
