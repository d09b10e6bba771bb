import { afterAll, beforeAll, expect, test } from 'vitest';
import { CodebaseContext } from '../../src/model/context.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { startModelServer, type ModelServer } from './model-server/server.ts';
import { realClis } from './real-clis.ts';
import { configureClis, eventsTold, goodAnswer, headOf, lastNamed, seated } from './three-clis.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
  server.fallback(goodAnswer);
});
afterAll(() => server.close());

test.each(seated)('%s puts the found files in order, in one call', async (name) => {
  const rig = await todoRig();
  configureClis(rig, { url: server.url });
  const plain = await rig.conclave('context', todoTask, '--paths');
  const found = plain.stdout.trim().split('\n');
  expect(found.indexOf(lastNamed.path)).toBeGreaterThan(0);

  rig.config(`${rig.configured()}\n[context]\nrerank = "agent"\n`);
  const before = server.log.length;
  const model = `${name}=${realClis[name].model}`;
  const flags = ['--auto-yes', '--json', '--max-rounds', '1', '--tools', name, '--model', model];
  const { code, stdout, stderr } = await rig.conclave('plan', ...flags, todoTask);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

  const context = CodebaseContext.parse(rig.json('codebase-context.json'));
  expect(context.reranking).toEqual({ agent: name, state: 'counted', note: '' });
  const paths = context.relevant_files.map(({ path }) => path);
  expect(paths.indexOf(lastNamed.path)).toBeLessThan(found.indexOf(lastNamed.path));
  const store = context.relevant_files.find(({ path }) => path === lastNamed.path);
  expect(store?.reasons.at(-1)).toBe(`an agent says: ${lastNamed.reason}`);
  expect(eventsTold(stdout)).toContainEqual(
    expect.objectContaining({ type: 'context.reranked', agent: name, note: null }),
  );

  const asked = server.log.slice(before).filter((request) => headOf(request).phase === 'rerank');
  expect(asked.map(({ dialect }) => dialect)).toEqual([realClis[name].dialect]);
  for (const path of found) expect(asked[0]?.prompt).toContain(path);
  expect(await rig.git('status', '--porcelain')).toBe('');
});
