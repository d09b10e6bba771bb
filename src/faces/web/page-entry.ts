// Runs a page in a browser: takes its access from the link, shows what the server tells, and sends what a person does.
const key = 'conclave';
/** The time until a page looks again for a server that it did not reach, in ms. */
const pause = 2000;
const main = elementAt('main');
const dialog = document.querySelector('dialog');
const dialogBody = elementAt('dialog-body');
/** The act that the dialog is about, and its form as it was made. */
let open = { name: '', about: '', seen: '', form: '' };
/** While the server is asked, what is typed is no key of the page. */
let isBusy = false;

// A new link to a page that is open lets it in anew.
addEventListener('hashchange', () => location.reload());
addEventListener('keydown', onKey);
addEventListener('click', (event) => {
  const button = closest(event, '[data-key], [data-act]');
  if (button) void press(button);
});
// The line that is meant keeps the focus.
addEventListener('mousedown', (event) => {
  if (closest(event, '.bar, .keys')) event.preventDefault();
});
addEventListener('input', fit);
dialogBody.addEventListener('submit', (event) => {
  event.preventDefault();
  if (event.target instanceof HTMLFormElement) void send(event.target);
});
await enter();
void follow();

/** Swaps the token of a link for access of this tab, and takes it out of the address. */
async function enter(): Promise<void> {
  const token = /^#key=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(null, '', '/');
  const reply = await post('/api/session', { token });
  if (reply.ok) sessionStorage.setItem(key, Object(await reply.json()).bearer);
}

/** Shows what the server tells, until the review ends. */
async function follow(): Promise<void> {
  const status = elementAt('page-status');
  for (;;) {
    const reply = await post('/api/page', {});
    if (reply.status === 401) return status.replaceChildren(Object(await reply.json()).why);
    // A broken connection ends as a closed one does.
    if (reply.ok) await readNews(reply).catch(() => undefined);
    if (status.querySelector('.end') !== null) return;
    status.textContent =
      'The review cannot be reached: it ended, or the connection was lost. Nothing is lost.';
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Shows each line of a reply, which goes on while the server lives. */
async function readNews({ body }: Response): Promise<void> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ;) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return;
    text += value;
    if (!value.includes('\n')) continue;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) show(JSON.parse(line));
  }
}

async function post(path: string, body: object): Promise<Response> {
  const authorization = `Bearer ${sessionStorage.getItem(key) ?? ''}`;
  const headers = { authorization, 'content-type': 'application/json' };
  return await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() =>
    Response.json({ why: 'The review cannot be reached; try again.' }, { status: 503 }),
  );
}

/** Shows the parts that have changed; the focus, and what a person has folded, stay. */
function show(html: string): void {
  const focus = document.activeElement?.id ?? '';
  const folds = [...main.querySelectorAll('details')].map(
    (one) => [one.firstElementChild?.id ?? '', one.open] as const,
  );
  elementAt('page-comments').append(...main.querySelectorAll('.comments'));
  const news = document.createElement('template');
  news.innerHTML = html;
  for (const { id, childNodes } of news.content.children)
    document.getElementById(id)?.replaceChildren(...childNodes);
  for (const [id, isOpen] of folds)
    document.getElementById(id)?.parentElement?.toggleAttribute('open', isOpen);
  showComments();
  document.title = document.querySelector('h1')?.textContent ?? '';
  // A dialog with a question closes with it.
  const question = document.querySelector<HTMLElement>('[data-act=answer]')?.dataset['about'];
  if (open.name === 'answer' && open.about !== question) dialog?.close();
  if (document.activeElement === document.body)
    document.getElementById(focus)?.focus({ preventScroll: true });
}

/** Puts the comments beside their lines; those without a line stay above the document. */
function showComments(): void {
  for (const comments of document.querySelectorAll<HTMLElement>('.comments')) {
    const line = document.getElementById(comments.dataset['at'] ?? '');
    if (line?.matches('summary')) line.after(comments);
    else (line?.querySelector('th') ?? line)?.append(comments);
  }
}

/** Presses the button of a key, except while a dialog is open. */
function onKey(event: KeyboardEvent): void {
  const { key: name, ctrlKey, metaKey, altKey } = event;
  const isPlain = !ctrlKey && !metaKey && !altKey;
  const button = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(name)}"]`);
  if (dialog?.open === true) {
    if (name === 'Enter' && !isPlain) dialogBody.querySelector('form')?.requestSubmit();
  } else if (isPlain && button !== null) {
    event.preventDefault();
    button.click();
  }
}

/** Does what a button is for, about its place or the line that has the focus. */
async function press(button: HTMLElement): Promise<void> {
  const { key: letter = '', act: name, about = lineInFocus()?.id ?? '' } = button.dataset;
  const [selector, by] = moves[letter] ?? [];
  if (selector !== undefined) return move(selector, by);
  if (name === undefined || isBusy) return;
  const seen = seenNow();
  isBusy = true;
  const reply = await ask({ name, about });
  isBusy = false;
  if (name !== 'code') return showReply(reply, { name, about, seen });
  elementAt('page-code').innerHTML = reply.html ?? '';
  elementAt('page-code').append(reply.why ?? '');
  elementAt('page-code').showPopover({ source: button });
}

const moves: Readonly<Record<string, readonly [selector: string, by: number]>> = {
  j: ['[data-line]', 1],
  k: ['[data-line]', -1],
  n: ['summary', 1],
  p: ['summary', -1],
};

/** Moves the focus by one of the elements that can be seen; without a focus, to the first one in the window. */
function move(selector: string, by = 1): void {
  const all = [...main.querySelectorAll<HTMLElement>(selector)];
  let at = all.findIndex((one) => one === lineInFocus());
  if (at === -1) at = all.findIndex((one) => one.getBoundingClientRect().bottom > 0);
  else
    do at += by;
    while (all[at]?.checkVisibility() === false);
  all[at]?.focus({ preventScroll: true });
  all[at]?.scrollIntoView({ block: 'nearest' });
}

/** Asks for an act: the server gives something to read or to fill in, says why it refuses, or has done it. */
async function ask(act: object): Promise<Partial<Record<'title' | 'html' | 'why', string>>> {
  return Object(await (await post('/api/act', act)).json());
}

/** Opens a dialog with what an act led to; a form that was closed before is as it was left. */
function showReply(
  { title, html = '', why = title }: Awaited<ReturnType<typeof ask>>,
  act: Omit<typeof open, 'form'>,
): void {
  dialog?.close();
  const form = `${why}\n${html}`;
  if (form !== open.form) dialogBody.innerHTML = html;
  open = { ...act, form };
  elementAt('dialog-title').textContent = why ?? '';
  if (why === undefined) return;
  fit();
  dialog?.showModal();
  dialogBody.querySelector<HTMLElement>('input:checked, textarea, button')?.focus();
}

/** Shows only what goes with the choice. A field that does not keeps what was typed, and is not sent. */
function fit(): void {
  const choice = dialogBody.querySelector<HTMLInputElement>('[name=choice]:checked')?.value ?? '';
  for (const part of dialogBody.querySelectorAll<HTMLElement>('[data-with]')) {
    const isOff = part.dataset['with']?.split('\n').includes(choice) === false;
    part.toggleAttribute('hidden', isOff);
    part.toggleAttribute('disabled', isOff);
  }
}

/** Sends what was filled in, and says in the form why it was refused. */
async function send(form: HTMLFormElement): Promise<void> {
  const { name, about, seen } = open;
  const fields = [...new FormData(form)].filter(([, value]) => value !== '');
  const lists = [...form.querySelectorAll<HTMLTextAreaElement>('[data-many]:enabled')];
  const values = {
    ...Object.fromEntries(fields),
    ...Object.fromEntries(lists.map((field) => [field.name, field.value.split('\n')])),
  };
  const reply = await ask({ name, about, seen, values });
  // A change in the meantime is refused once; an answer is given to the state that was looked at.
  if (name !== 'answer') open.seen = seenNow();
  if (reply.why === undefined) return showReply(reply, open);
  elementAt('dialog-refusal').textContent = reply.why;
}

const seenNow = () => elementAt('page-seen').textContent ?? '';

function lineInFocus(): Element | null {
  return document.activeElement?.closest('[data-line]') ?? null;
}

function closest({ target }: Event, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null;
}

function elementAt(id: string): HTMLElement {
  return document.getElementById(id) ?? document.body;
}
