import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ExecutionResult } from '../../src/model/execution.ts';
import type { Proof } from '../../src/model/proof.ts';
import { ProofSet } from '../../src/model/proof.ts';
import { listWithJson } from '../helpers/executed-rig.ts';
import { jsonProof } from '../helpers/proof-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { planOf, task } from '../helpers/small-plans.ts';
import { canConfine } from '../helpers/strict-rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from './model-server/server.ts';
import { configureClis, goodAnswer, seated } from './three-clis.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
  server.fallback(answerOf);
});
afterAll(() => server.close());

const Head = z.object({
  phase: z.string(),
  session: z.string().default(''),
  repair: z.boolean().default(false),
  task: z.string().default(''),
});

const headIn = ({ prompt }: Pick<LoggedRequest, 'prompt'>) =>
  Head.parse(
    JSON.parse([...prompt.matchAll(/^conclave question: (\{.*\})$/gm)].at(-1)?.[1] ?? '{}'),
  );

const right = jsonProof();
/** It asks for an object, which nobody wants. */
const wrong = jsonProof({
  id: 'P2',
  content: right.content.replace("startsWith('[')", "startsWith('{')"),
  sentence: 'list --json prints an object.',
});
const mended = { ...wrong, content: right.content };

const taken = (number: number, path: string, proves: readonly string[]) => ({
  ...task(number, number === 1 ? [] : [1], [path], []),
  files: [{ path, action: 'modify', change: 'Branch on the flag.' }],
  proves,
});
const plan = planOf([
  taken(1, 'src/commands/list.js', ['P1', 'P2']),
  taken(2, 'test/list.test.js', []),
]);

/** What the executor does with its own shell: it weakens a proof beside the work. */
const acts: Readonly<Record<string, string>> = {
  'TASK-001': `cat > src/commands/list.js <<'END'\n${listWithJson}END\necho '// weakened' > ${right.path}`,
  'TASK-002': `echo "test('again', () => assert.ok(formatTodo({ text: 'a' })));" >> test/list.test.js`,
};

function answerOf(asked: LoggedRequest): Reply {
  const { phase, session, repair, task: id } = headIn(asked);
  const proves = (proofs: readonly Proof[]) => ({ session, phase, proofs, unproven: [] });
  switch (phase) {
    case 'proof':
      return { kind: 'structured', value: proves(repair ? [mended] : [right, wrong]) };
    case 'plan':
      return { kind: 'structured', value: { session, ...plan } };
    case 'execute':
      return asked.toolResults.length === 0
        ? { kind: 'tool', tool: 'shell', target: acts[id] ?? 'true' }
        : { kind: 'text', text: 'Done.\nP2 is wrong: the request asks for an array.' };
    default:
      return goodAnswer(asked);
  }
}

const askedFor = (phase: string) =>
  server.log.filter((one) => headIn(one).phase === phase).map(({ dialect }) => dialect);
const resultOf = (rig: Rig) => ExecutionResult.parse(rig.json('execution-result.json'));

test.skipIf(!canConfine)(
  'one CLI proves, another plans, a third works: what it weakens is dropped, and a wrong proof leaves its task unproven until a person takes the mended one',
  async () => {
    const rig = await todoRig();
    configureClis(rig, { url: server.url });
    const phases = '[phases.planning]\nagent = "gemini"\n[phases.execution]\nagent = "claude"\n';
    const may = '[workflow]\ncode_before_approval = "on"';
    rig.config(`${rig.configured().replace('[workflow]', may)}${phases}`);
    const tools = ['--tools', seated.join(','), '--depth', 'quick'];
    const planned = await rig.conclave('plan', '--auto-yes', ...tools, todoTask);
    expect([planned.code, planned.stderr]).toEqual([0, '']);
    expect(ProofSet.parse(rig.json('proof/proof.json'))).toMatchObject({
      author: 'codex',
      vendor: 'openai',
      note: '',
      proofs: [
        { id: 'P1', state: 'fails' },
        { id: 'P2', state: 'fails' },
      ],
    });
    expect([...askedFor('proof'), ...askedFor('plan')]).toEqual(['openai-responses', 'gemini']);

    const done = await rig.conclave('execute', '-y');
    expect(done.code).toBe(7);
    const [first] = resultOf(rig).tasks;
    expect(first).toMatchObject({
      executor: 'claude',
      status: 'unproven',
      awaits: ['P2'],
      files_modified: ['src/commands/list.js'],
      note: expect.stringContaining(`its changes of ${right.path} were dropped`),
      mended: [{ was: wrong.content, proof: { id: 'P2', content: mended.content } }],
    });
    expect(new Set(askedFor('execute'))).toEqual(new Set(['anthropic']));
    expect(askedFor('proof')).toEqual(['openai-responses', 'openai-responses']);
    const back = join(rig.session(), 'execution/1/TASK-001/dispute-1/codex/prompt.md');
    expect(readFileSync(back, 'utf8')).toContain('said to be wrong: the request asks for an array');

    const accept = ['--accept', 'TASK-001', '--accept', 'TASK-002', '--because', 'An array.'];
    const accepted = await rig.conclave('execute', ...accept);
    expect([accepted.code, accepted.stderr]).toEqual([0, '']);
    const { tasks, branch } = resultOf(rig);
    expect(tasks[0]).toMatchObject({
      status: 'completed',
      note: expect.stringContaining('as its author mended it'),
    });
    const shown = async (path: string) => await rig.git('show', `${branch}:${path}`);
    expect([await shown(right.path), await shown(wrong.path)]).toEqual([
      right.content,
      mended.content,
    ]);
    expect(await rig.git('log', '--format=%B', branch ?? '')).toContain(
      'Conclave-Proof: P1 by codex\nConclave-Proof: P2 by codex',
    );
    expect((await rig.conclave('validate')).code).toBe(0);
  },
  300_000,
);
