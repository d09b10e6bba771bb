// Starts the page in a browser: takes its access from the link, and follows the server.
/** @jsxImportSource preact */
import { render } from 'preact';
import { LivePage } from './live-page.tsx';
import type { PageParts, Send } from './page-parts.ts';

const key = 'conclave';
const root = document.getElementById('page') ?? document.body;
let parts: Partial<PageParts> = {};
let trouble: string | null = null;

addEventListener('hashchange', () => void enter());
void enter().then(follow);

/** Swaps the token of a link for access of this tab, and takes it out of the address. */
async function enter(): Promise<void> {
  const token = /^#key=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(null, '', '/');
  const { status, body } = await ask('/api/session', { token });
  if (status === 200) sessionStorage.setItem(key, String(body['bearer']));
  else if (sessionStorage.getItem(key) === null) show(String(body['why']));
}

/** Shows each change as the server tells it, until the review ends. A hidden page rests. */
async function follow(): Promise<void> {
  for (let after = 0, failures = 0; (parts.end ?? null) === null;) {
    await visible();
    const { status, body } = await ask(`/api/page?after=${after}`);
    failures = status === 200 ? 0 : failures + 1;
    if (status === 200) {
      after = Number(body['revision']);
      parts = { ...parts, ...Object(body['parts']) };
      show(null);
    } else if (status === 401) return show(trouble ?? String(body['why']));
    else {
      show(
        'The review cannot be reached. It ended, or the connection was lost; nothing you added is lost.',
      );
      await new Promise((resolve) => setTimeout(resolve, Math.min(failures, 10) * 500));
    }
  }
}

async function visible(): Promise<void> {
  while (document.hidden)
    await new Promise((resolve) => addEventListener('visibilitychange', resolve, { once: true }));
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Asks the server; a status of 0 means that it was not reached. */
async function ask(path: string, body?: unknown): Promise<Answer> {
  const authorization = `Bearer ${sessionStorage.getItem(key) ?? ''}`;
  const post = { method: 'POST', body: JSON.stringify(body) };
  try {
    const reply = await fetch(path, {
      ...(body === undefined ? {} : post),
      headers: { authorization, 'content-type': 'application/json' },
    });
    return { status: reply.status, body: Object(await reply.json()) };
  } catch {
    return { status: 0, body: { why: 'The review cannot be reached; try again.' } };
  }
}

const send: Send = async (path, sent) => {
  const { status, body } = await ask(path, sent);
  return status === 200 ? null : String(body['why']);
};

function show(now: string | null): void {
  trouble = now;
  const {
    document: shown,
    seen = '',
    state = '',
    news = '',
    question = null,
    comments = [],
    end = null,
  } = parts;
  if (shown === undefined)
    return render(
      <p role="status" class="first">
        {now ?? 'Loading…'}
      </p>,
      root,
    );
  document.title = shown.title;
  render(
    <LivePage
      parts={{ document: shown, seen, state, news, question, comments, end }}
      trouble={now}
      send={send}
    />,
    root,
  );
}
