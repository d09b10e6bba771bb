// Asks the server of a page for what it must refuse, and answers a session through it.
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type PageClient,
  type Shown,
  admitted,
  proposedIn,
  send,
  servedPage,
  shown,
  textIn,
} from '../helpers/page-client.ts';
import { planWith, plannedRig, revisedPlan } from '../helpers/planned-rig.ts';
import { jsonProof, markGuard, proofRig, proves } from '../helpers/proof-rig.ts';
import { short } from '../helpers/short-form.ts';
import { leavingFlags } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';

const isAsked = ({ question }: Shown) => question !== null;

async function reviewed(...flags: readonly string[]) {
  const rig = await plannedRig();
  const page = await servedPage(rig, 'review', basename(rig.session()), '--web', ...flags);
  return { rig, page, headers: await admitted(page.port, page.token) };
}

const ended = async ({ child, ended: end }: PageClient) => {
  child.kill('SIGTERM');
  await end;
};

/** Gives an answer to the question that is shown. */
async function answer(
  page: PageClient,
  headers: Readonly<Record<string, string>>,
  values: unknown,
  seen?: string,
) {
  const parts = await shown(page.port, headers, isAsked);
  const about = String(parts.question);
  return await sendTo(page, headers, { name: 'answer', about, seen: seen ?? parts.seen, values });
}

async function sendTo(
  { port }: PageClient,
  headers: Readonly<Record<string, string>>,
  body: unknown,
) {
  const sent = { method: 'POST', path: '/api/act', headers, body: JSON.stringify(body) };
  const reply = await send(port, sent);
  return { status: reply.status, ...JSON.parse(reply.text) };
}

/** Comments on the line with this anchor. */
const comment = async (
  page: PageClient,
  headers: Readonly<Record<string, string>>,
  about: string,
  text: string,
) => await sendTo(page, headers, { name: 'comment', about, values: { text } });

/** Does something in the page besides answering. */
const act = async (
  page: PageClient,
  headers: Readonly<Record<string, string>>,
  { name, seen, ...values }: Readonly<Record<string, string>>,
) => await sendTo(page, headers, { name, about: '', seen, values });

const ask = async (page: PageClient, headers: Readonly<Record<string, string>>, name: string) =>
  await sendTo(page, headers, { name, about: '' });

const textOf = async (page: PageClient, headers: Readonly<Record<string, string>>) =>
  proposedIn((await ask(page, headers, 'edit')).html);

test(
  'a plan is approved in the page, and left for later there; the server ends with it',
  short,
  async () => {
    const { rig, page, headers } = await reviewed();
    expect(await answer(page, headers, { choice: 'approve' })).toMatchObject({ status: 200 });
    const next = await shown(page.port, headers, ({ status }) =>
      status.includes('Carry it out now?'),
    );
    expect(next.told.map(textIn).join('\n')).toContain('by user');
    expect(await answer(page, headers, { choice: 'later' })).toMatchObject({ status: 200 });
    expect(await page.ended).toBe(0);
    expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user' });
    await expect(send(page.port, {})).rejects.toThrow('ECONNREFUSED');
  },
);

test('the server refuses everything but the page that its link opened', short, async () => {
  const { page, headers } = await reviewed();
  const { port } = page;
  const here = `http://127.0.0.1:${port}`;
  const post = { method: 'POST', path: '/api/act', headers, body: '{"name":"comment"}' };
  const refused = [
    [421, { headers: { host: `evil.example:${port}` } }],
    [421, { headers: { host: `127.0.0.1.evil.example:${port}` } }],
    [403, { path: '/api/page', headers: { ...headers, origin: 'http://evil.example' } }],
    [403, { ...post, headers: { ...headers, origin: `http://127.0.0.1:${port + 1}` } }],
    [403, { ...post, headers: { ...headers, origin: 'null' } }],
    [403, { path: '/api/act', method: 'OPTIONS', headers }],
    [405, { path: '/', method: 'PUT', headers: { origin: here } }],
    [415, { ...post, headers: { ...headers, 'content-type': 'text/plain' } }],
    [401, { path: '/api/page' }],
    [401, { path: '/api/page', headers: { authorization: 'Bearer x' } }],
    [401, { ...post, headers: {} }],
    [403, { method: 'POST', path: '/api/session', body: JSON.stringify({ token: page.token }) }],
    [403, { method: 'POST', path: '/api/session', body: '{}' }],
    [404, { path: '/report.html', headers }],
    [400, { ...post, body: 'no JSON' }],
    [422, post],
    [409, { ...post, body: '{"name":"answer","about":"99","values":{}}' }],
    [
      413,
      {
        ...post,
        body: JSON.stringify({
          name: 'comment',
          about: '',
          values: { text: 'x'.repeat(10_000_000) },
        }),
      },
    ],
  ] as const;
  for (const [status, sent] of refused) {
    const reply = await send(port, sent);
    expect({ sent: JSON.stringify(sent).slice(0, 200), status: reply.status }).toMatchObject({
      status,
    });
    expect(JSON.parse(reply.text)).toEqual({ why: expect.stringMatching(/\.$/) });
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    );
  }
  const html = await send(port, { headers: { host: `localhost:9999` } });
  expect(html.status).toBe(200);
  expect(html.text).not.toContain(page.token);
  expect(html.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  const policy = String(html.headers['content-security-policy']);
  expect(policy).toMatch(/default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'/);
  expect(policy).not.toContain('unsafe');
  expect(html.headers['set-cookie']).toBeUndefined();
  await ended(page);
});

test('nothing outside of this machine reaches the server', async () => {
  const { page } = await reviewed();
  const outside = Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one?.family === 'IPv4' && !one.internal ? [one.address] : []));
  for (const address of outside)
    await expect(send(page.port, { address })).rejects.toThrow('ECONNREFUSED');
  await ended(page);
});

test(
  'an approval of a plan that was edited meanwhile is refused, and so is a bad answer',
  short,
  async () => {
    const { rig, page, headers } = await reviewed();
    const parts = await shown(page.port, headers, isAsked);
    expect(await answer(page, headers, { choice: 'nonsense' })).toMatchObject({ status: 422 });
    const file = join(rig.session(), '.task/TASK-001.json');
    const task = Object(rig.json('.task/TASK-001.json'));
    writeFileSync(file, JSON.stringify({ ...task, title: 'Something else' }));
    const given = await answer(page, headers, { choice: 'approve' }, parts.seen);
    expect(given.status).toBe(409);
    const now = await shown(page.port, headers, (all) => all.seen !== parts.seen && isAsked(all));
    expect(now.document).toContain('Something else');
    await ended(page);
  },
);

test(
  'a comment on a line is saved at once, is seen in a second tab, and leads to a new version',
  short,
  async () => {
    const rig = await plannedRig();
    planWith(rig, { answer: revisedPlan });
    const page = await servedPage(rig, 'review', basename(rig.session()), '--web');
    const headers = await admitted(page.port, page.token);
    await shown(page.port, headers, isAsked);
    const text = 'say that it is one array <b>';
    const kept = await comment(page, headers, 'TASK-001', text);
    expect(kept).toMatchObject({ status: 200 });
    const quote = 'TASK-001: Print JSON from listTodos';
    expect(rig.json('comments.json')).toMatchObject([
      { anchor: 'TASK-001', quote, text, task: 'TASK-001' },
    ]);
    const other = await shown(page.port, headers, ({ comments }) => comments !== '');
    expect(textIn(other.comments)).toMatch(new RegExp(`^${quote}${text}.*not sent`));
    const comments = ['TASK-001=say that it is one array <b>'];
    expect(await answer(page, headers, { choice: 'comment', comments })).toMatchObject({
      status: 200,
    });
    const next = await shown(
      page.port,
      headers,
      (all) => isAsked(all) && all.document.includes('one JSON array'),
    );
    expect(next.comments).toContain('sent for version 2');
    await ended(page);
  },
);

test(
  'the plan is edited as Markdown; what cannot be read is named by its line, and a stale text is refused once',
  short,
  async () => {
    const { rig, page, headers } = await reviewed();
    const parts = await shown(page.port, headers, isAsked);
    const text = await textOf(page, headers);
    expect(text).toContain('# TASK-001: ');
    const nonsense = await act(page, headers, {
      name: 'edit',
      seen: parts.seen,
      text: '# Nonsense',
    });
    expect(nonsense).toEqual({ status: 422, why: 'line 1: the first heading must be "# Plan"' });
    const wrong = text.replace('## Files', '## Filse');
    expect(await act(page, headers, { name: 'edit', seen: parts.seen, text: wrong })).toEqual({
      status: 422,
      why: expect.stringMatching(/^line \d+: "Filse" is no field/),
    });
    const changed = text.replace(/(?<=# TASK-001: ).*/, 'Another title');
    expect(await act(page, headers, { name: 'edit', seen: parts.seen, text: changed })).toEqual({
      status: 200,
    });
    expect(rig.json('.task/TASK-001.json')).toMatchObject({ title: 'Another title' });
    expect(await act(page, headers, { name: 'edit', seen: parts.seen, text })).toEqual({
      status: 409,
      why: expect.stringContaining('changed meanwhile'),
    });
    const now = await shown(page.port, headers, (all) => all.seen !== parts.seen);
    expect(await act(page, headers, { name: 'undo', seen: now.seen })).toEqual({ status: 200 });
    expect(rig.json('.task/TASK-001.json')).not.toMatchObject({ title: 'Another title' });
    for (const name of ['versions', 'changes', 'decide', 'constructor'])
      expect((await ask(page, headers, name)).status).toBe(422);
    await ended(page);
  },
);

test(
  'saved comments go to the planner together; versions are compared and restored, and a comment outlives its line',
  short,
  async () => {
    const rig = await plannedRig();
    planWith(rig, { answer: revisedPlan });
    const page = await servedPage(rig, 'review', basename(rig.session()), '--web');
    const headers = await admitted(page.port, page.token);
    await shown(page.port, headers, isAsked);
    for (const [anchor, text] of [
      ['TASK-001', 'One array'],
      ['nowhere', 'Stay'],
    ] as const)
      expect(await comment(page, headers, anchor, text)).toMatchObject({ status: 200 });
    expect(await answer(page, headers, { choice: 'comment' })).toMatchObject({ status: 200 });
    const next = await shown(page.port, headers, (all) => isSent(all) && isAsked(all));
    expect(next.comments).toMatch(/data-at="TASK-001".*it says now/);
    expect(next.comments).toMatch(/data-at>.*sent for version 2; its line is gone/);
    const compared = { name: 'versions', seen: next.seen, choice: 'compare', from: '1', to: '2' };
    expect(await act(page, headers, compared)).toMatchObject({
      status: 200,
      title: expect.stringMatching(/^Version 2: \d+ changes? since version 1$/),
      html: expect.stringContaining('Changes of plan.md'),
    });
    expect(
      await act(page, headers, { name: 'versions', seen: next.seen, choice: 'restore', from: '1' }),
    ).toEqual({ status: 200 });
    expect(rig.json('.task/TASK-001.json')).toMatchObject({ title: 'Print JSON from listTodos' });
    await ended(page);
  },
);

test(
  'the code of a proof is changed on its line, and runs at the base before the plan can be approved',
  short,
  async () => {
    const beta = { proof: proves([jsonProof(), markGuard()]) };
    const rig = await proofRig({ beta });
    expect((await rig.conclave('plan', ...leavingFlags, todoTask)).code).toBe(0);
    const page = await servedPage(rig, 'review', basename(rig.session()), '--web');
    const headers = await admitted(page.port, page.token);
    const before = await shown(page.port, headers, isAsked);
    const edit = { name: 'edit', about: 'proofs.P2' };
    const { html } = await sendTo(page, headers, edit);
    const text = proposedIn(html).replace("'x milk'", "'✓ milk'");
    const saved = { ...edit, seen: before.seen, values: { text } };
    expect(await sendTo(page, headers, saved)).toEqual({ status: 200 });
    const file = 'proof/tests/test/mark-p2.test.js.txt';
    expect(rig.read(join(rig.session(), file).slice(rig.repo.length + 1))).toContain("'✓ milk'");
    const changed = await shown(page.port, headers, ({ document }) =>
      textIn(document).includes('P2 was changed and has not run since'),
    );
    expect(await answer(page, headers, { choice: 'approve' }, changed.seen)).toMatchObject({
      status: 200,
    });
    await shown(
      page.port,
      headers,
      (all) =>
        isAsked(all) &&
        textIn(all.document).includes('P2 Without the flag, what is done has a mark · fails today'),
    );
    expect(rig.json('plan.json')).toMatchObject({
      proofs: [{ id: 'P1' }, { id: 'P2', state: 'fails', author: 'user' }],
    });
    expect(existsSync(join(rig.session(), 'approval.json'))).toBe(false);
    const elsewhere = { name: 'edit', about: 'proofs.P9' };
    expect((await sendTo(page, headers, elsewhere)).title).toBe('The plan as Markdown');
    await ended(page);
  },
);

const isSent = ({ comments }: Shown) => comments.split('sent for version 2').length === 3;

test('without a browser the link is told all the same', async () => {
  const rig = await plannedRig();
  Object.assign(rig.environment, { BROWSER: join(rig.repo, 'no-such-browser') });
  const page = await servedPage(rig, 'review', '--web');
  expect(await admitted(page.port, page.token)).toHaveProperty('authorization');
  await ended(page);
});

test('a port in use, a port that is none, and flags that answer for a person are refused', async () => {
  const rig = await plannedRig();
  const busy = createServer();
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const at = busy.address();
  const port = typeof at === 'object' && at !== null ? at.port : 0;
  const tries = [
    [['--web', '--port', String(port)], `--port ${port} is in use`],
    [['--web', '--port', '70000'], '--port takes a whole number from 1 to 65535'],
    [['--port', '4000'], '--port is the port of --web'],
    [['--web', '--approve'], '--web asks a person, so it cannot go with --approve'],
  ] as const;
  for (const [flags, why] of tries) {
    const { code, stderr } = await rig.conclave('review', ...flags);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
  }
  busy.close();
});

test('what is printed holds no key; a private file leads to the page, and goes with it', async () => {
  const { page } = await reviewed('--json');
  expect(page.printed()).not.toContain(page.token);
  expect(statSync(page.file).mode & 0o777).toBe(0o600);
  await ended(page);
  expect(existsSync(page.file)).toBe(false);
});

test('over SSH the link is told with the command that leads to it, and inside the run of an agent there is none', async () => {
  const rig = await plannedRig();
  Object.assign(rig.environment, { SSH_CONNECTION: '10.0.0.9 50000 10.0.0.5 2222' });
  const page = await servedPage(rig, 'review', '--web', '--json');
  const event = page
    .printed()
    .split('\n')
    .find((line) => line.includes('page.opened'));
  expect(JSON.parse(event ?? '{}')).toMatchObject({
    url: `http://127.0.0.1:${page.port}/`,
    file: page.file,
    tunnel: expect.stringMatching(
      `^ssh -N -p 2222 -L ${page.port}:127.0.0.1:${page.port} \\S+@10.0.0.5$`,
    ),
  });
  const second = await rig.conclave('review', '--web');
  expect(second.code).toBe(5);
  await ended(page);
  Object.assign(rig.environment, { CONCLAVE_INSIDE: '1' });
  const inside = await rig.conclave('review', '--web');
  expect(inside).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Inside the run of an agent'),
  });
});
