// Counts what an act in a page reads again: an edit the plan on its desk once, and nothing the rest of the session.
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { openRepository } from '../../src/git/open-repository.ts';
import { neverAborted } from '../../src/model/signal.ts';
import { planDesk } from '../../src/phases/planning/plan-desk.ts';
import { readUncheckedPlan } from '../../src/phases/planning/read-plan.ts';
import { schemaCheck } from '../../src/store/published-schemas.ts';
import { openSessionFolder } from '../../src/store/session-folder.ts';
import { openPage } from '../../src/web/open-page.ts';
import { admitted, elementsOf, proposedIn, send, shown } from '../helpers/page-client.ts';
import { plannedRig } from '../helpers/planned-rig.ts';
import { CodebaseContext } from '../../src/model/context.ts';

/** Opens a page about the plan of a session; `read` counts how often the desk reads it for the page. */
async function pageOfPlan() {
  const rig = await plannedRig();
  const { repo: root } = rig;
  const folder = await openSessionFolder(root, basename(rig.session()));
  const { base } = CodebaseContext.parse(rig.json('codebase-context.json'));
  const signal = neverAborted;
  const repository = await openRepository({ root, base, snapshots: null, signal });
  const tools = { folder, repository, schemas: await schemaCheck({}), emit: () => undefined };
  const since = await readUncheckedPlan(tools);
  if (since === null) throw new Error('there is no plan');
  const own = planDesk(tools, { version: 1, since });
  const count = { read: 0 };
  const read = () => {
    count.read += 1;
    return own.read();
  };
  const page = await openPage({ port: 0, environment: { BROWSER: 'none' } });
  onTestFinished(() => page.close());
  await page.isAbout({ session: { folder, repository }, desk: { ...own, read } });
  const link = Object(await page.beside({ show: () => undefined }, null).newLink());
  const { port, hash } = new URL(String(link.url));
  const headers = await admitted(Number(port), hash.replace('#key=', ''));
  const act = async (body: object) =>
    await send(Number(port), {
      method: 'POST',
      path: '/api/act',
      headers,
      body: JSON.stringify({ about: '', ...body }),
    });
  const see = () => shown(Number(port), headers, () => true);
  return { folder, count, act, see, port, headers };
}

test('an edit reads the plan once before it and nothing else of the session; a comment reads neither', async () => {
  const { folder, count, act, see } = await pageOfPlan();
  const { html } = JSON.parse((await act({ name: 'edit' })).text);
  const { seen } = await see();
  // Whoever reads the session now fails.
  for (const file of ['journal.jsonl', 'session-state.json']) rmSync(join(folder.path, file));
  const before = count.read;
  const kept = await act({ name: 'comment', about: 'TASK-001', values: { text: 'Why?' } });
  expect({ status: kept.status, read: count.read - before }).toEqual({ status: 200, read: 0 });
  const text = proposedIn(html).replace(/(?<=# TASK-001: ).*/, 'Another title');
  const edited = await act({ name: 'edit', seen, values: { text } });
  expect({ status: edited.status, read: count.read - before }).toEqual({ status: 200, read: 1 });
  const now = await see();
  expect(now.comments).toContain('<p>Why?</p>');
  expect(now.document).toContain('TASK-001: Another title');
  expect(now.seen).not.toBe(seen);
});

test('of a changed plan an open page is told only the parts that it does not have', async () => {
  const { act, see, port, headers } = await pageOfPlan();
  const { html } = JSON.parse((await act({ name: 'edit' })).text);
  const { seen } = await see();
  const origin = `http://127.0.0.1:${port}`;
  const open = { ...headers, origin, 'content-type': 'application/json' };
  const reply = await fetch(`${origin}/api/page`, { method: 'POST', headers: open, body: '{}' });
  const lines = createInterface({ input: Readable.from(reply.body ?? []) })[Symbol.asyncIterator]();
  const next = async () =>
    elementsOf(String((await lines.next()).value)).map((one) => /id="([^"]*)"/.exec(one)?.[1]);
  const all = await next();
  const edit = async (title: string, since: string) => {
    const text = proposedIn(html).replace(/(?<=# TASK-001: ).*/, title);
    expect((await act({ name: 'edit', seen: since, values: { text } })).status).toBe(200);
    return await next();
  };
  // The first edit adds a part; a document with other parts is told anew.
  const other = await edit('Another title', seen);
  expect(other.filter((id) => !all.includes(id))).toEqual(['part-changes']);
  expect(other).toHaveLength(all.length + 1);
  expect(await edit('A third title', (await see()).seen)).toEqual([
    'page-outline',
    'page-seen',
    'part-changes',
    'part-tasks',
    'part-TASK-001',
  ]);
});
