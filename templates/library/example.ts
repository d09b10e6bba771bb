// Plans a task together with a model of your own, which an executor asks at its server.
// Start it in a repository with: node example.ts "Add a --json flag" claude codex
import {
  type Executor,
  type ExecutorEvent,
  type ExecutorOptions,
  openRegistry,
} from 'conclave/agents';
import { startSession } from 'conclave/sessions';

const server = process.env['MODEL_SERVER'] ?? 'http://localhost:8080/v1';
const model = process.env['MODEL'] ?? 'my-model';
const [task = '', ...others] = process.argv.slice(2);

const running = new Map<string, AbortController>();

async function* ask(options: ExecutorOptions): AsyncGenerator<ExecutorEvent> {
  const { sessionId, prompt } = options;
  const stop = new AbortController();
  running.set(sessionId, stop);
  yield { type: 'started', sessionId, timestamp: Date.now(), model };
  const response = await fetch(`${server}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: prompt }] }),
    signal: stop.signal,
  });
  const said = (await response.json()) as { choices?: { message: { content: string } }[] };
  const summary = said.choices?.[0]?.message.content;
  if (summary !== undefined) yield { type: 'completed', summary };
  else {
    const recoverable = response.status >= 500;
    yield { type: 'error', message: `the server said ${response.status}`, recoverable };
  }
}

const mine: Executor = {
  id: 'mine',
  name: 'My model',
  type: 'api',
  vendor: 'my-vendor',
  models: [model],
  isAvailable: async () => true,
  execute: ask,
  sendMessage: () => Promise.reject(new Error('this model takes one message at a time')),
  cancel: async (sessionId) => running.get(sessionId)?.abort(),
  dispose: async (sessionId) => void running.delete(sessionId),
};

const registry = await openRegistry();
registry.register(mine);

const session = await startSession({
  task,
  registry,
  settings: { workflow: { tools: [mine.id, ...others] } },
  // Left out, the recommended answers are taken. This shows the questions, and takes the first choice.
  answer({ kind, fields: [first] }) {
    const choices = (first?.choices ?? []).map(({ value }) => value);
    console.log(`${kind}: ${choices.join(', ')}`);
    const [choice] = choices;
    return choice === undefined || kind === 'execute' ? 'skip' : { choice };
  },
});
process.once('SIGINT', () => void session.cancel());

for await (const event of session) {
  if (event.type === 'agent.answered') console.log(`${event.agent}: ${event.summary}`);
  if (event.type === 'round.finished') console.log(`round ${event.round}: ${event.recommendation}`);
}
const { message, exitCode } = await session.end;
console.log(message);
process.exitCode = exitCode;
