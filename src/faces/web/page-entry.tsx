// Starts the page in a browser: takes its access from the link, and follows the server.
/** @jsxImportSource preact */
import { render } from 'preact';
import { LivePage } from './live-page.tsx';
import { type AskServer, emptyParts, partsAfter } from './page-parts.ts';

const key = 'conclave';
/** The time until a page looks again for a server that it did not reach, in ms. */
const pause = 2000;
const root = document.getElementById('page') ?? document.body;
let parts = emptyParts;

// A new link to a page that is open lets it in anew.
addEventListener('hashchange', () => location.reload());
void follow(await enter());

/** Swaps the token of a link for access of this tab, and takes it out of the address; says why it was refused. */
async function enter(): Promise<string | null> {
  const token = /^#key=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return null;
  history.replaceState(null, '', '/');
  const reply = await post('/api/session', { token });
  const { why = null, bearer } = Object(await reply.json());
  if (reply.ok) sessionStorage.setItem(key, bearer);
  return why;
}

/** Shows what the server tells, until the review ends. */
async function follow(refusal: string | null): Promise<void> {
  while (parts.end === null) {
    const reply = await post('/api/page', {});
    if (reply.status === 401) return show(refusal ?? Object(await reply.json()).why);
    // A broken connection ends as a closed one does.
    if (reply.ok) await readNews(reply).catch(() => undefined);
    if (parts.end !== null) return;
    show('The review cannot be reached: it ended, or the connection was lost. Nothing is lost.');
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Shows each line of a reply, which goes on while the server lives, as the parts that have changed. */
async function readNews({ body }: Response): Promise<void> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ;) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return;
    const lines = (text + value).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) parts = partsAfter(parts, JSON.parse(line));
    show(null);
  }
}

async function post(path: string, body: object): Promise<Response> {
  const authorization = `Bearer ${sessionStorage.getItem(key) ?? ''}`;
  const headers = { authorization, 'content-type': 'application/json' };
  return await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() =>
    Response.json({ why: 'The review cannot be reached; try again.' }, { status: 503 }),
  );
}

const ask: AskServer = async (act) => Object(await (await post('/api/act', act)).json());

/** Shows the page; `trouble` says why it may be out of date. */
function show(trouble: string | null): void {
  document.title = parts.document?.title ?? 'Conclave';
  render(<LivePage {...parts} trouble={trouble} ask={ask} />, root);
}
