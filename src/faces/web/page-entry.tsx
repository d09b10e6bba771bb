// Starts the page in a browser: takes its access from the link, and follows the server.
/** @jsxImportSource preact */
import { render } from 'preact';
import { LivePage } from './live-page.tsx';
import { type AskServer, emptyParts } from './page-parts.ts';

const key = 'conclave';
/** The time until a page asks again for a server that it did not reach, in ms. */
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
  const { status, body } = await ask('/api/session', { token });
  if (status !== 200) return String(body['why']);
  sessionStorage.setItem(key, String(body['bearer']));
  return null;
}

/** Shows each change as the server tells it, until the review ends. */
async function follow(refusal: string | null): Promise<void> {
  for (let after = 0; parts.end === null;) {
    const { status, body } = await ask('/api/page', { after, seen: parts.seen });
    if (status === 401) return show(refusal ?? String(body['why']));
    if (status === 200) {
      after = Number(body['revision']);
      parts = { ...parts, ...Object(body['parts']) };
      show(null);
    } else {
      show('The review cannot be reached: it ended, or the connection was lost. Nothing is lost.');
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

async function ask(...[path, body]: Parameters<AskServer>): ReturnType<AskServer> {
  const authorization = `Bearer ${sessionStorage.getItem(key) ?? ''}`;
  const headers = { authorization, 'content-type': 'application/json' };
  try {
    const reply = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: reply.status, body: Object(await reply.json()) };
  } catch {
    return { status: 0, body: { why: 'The review cannot be reached; try again.' } };
  }
}

/** Shows the page; `trouble` says why it may be out of date. */
function show(trouble: string | null): void {
  const { document: shown } = parts;
  document.title = shown?.title ?? 'Conclave';
  const first = (
    <p role="status" class="first">
      {trouble ?? 'Loading…'}
    </p>
  );
  const page =
    shown === null ? first : <LivePage {...parts} document={shown} trouble={trouble} ask={ask} />;
  render(page, root);
}
