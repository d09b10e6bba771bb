import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { plannedRig } from '../helpers/planned-rig.ts';
import { admitted, send, servedPage, shown } from '../helpers/page-client.ts';

test('a plan is approved in the page, and the review ends', async () => {
  const rig = await plannedRig();
  const page = await servedPage(rig, 'review', basename(rig.session()), '--web');
  const headers = await admitted(page.port, page.token);
  const parts = await shown(page.port, headers, ({ question }) => question != null);
  expect(parts['question'].form).toMatchObject({ kind: 'approve' });
  const body = JSON.stringify({
    question: parts['question'].id,
    seen: parts['seen'],
    values: { choice: 'approve' },
  });
  const given = await send(page.port, { method: 'POST', path: '/api/answer', headers, body });
  expect(given).toMatchObject({ status: 200 });
  const next = await shown(
    page.port,
    headers,
    ({ question, end }) => end != null || Object(question).form?.kind === 'execute',
  );
  console.log(page.printed(), JSON.stringify(next['question']), JSON.stringify(next).length);
  page.child.kill('SIGTERM');
  console.log(await page.ended, page.printed());
  expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user' });
});
