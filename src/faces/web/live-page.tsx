// Shows a review in a browser as it changes: its document, its comments, its question, and its keys.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Blocks } from './blocks.tsx';
import { KeyHelp, usePageKeys } from './page-keys.tsx';
import { type AskServer, CommentList, Live, type PageParts } from './page-parts.ts';
import { PageView } from './page-view.tsx';
import { QuestionForm } from './question-form.tsx';

/** What is open over the page: something to read, or the form of an act. */
interface Dialog {
  readonly title: string;
  readonly body: ComponentChildren;
  /** The number of the question that it answers: it closes with it. */
  readonly question?: number;
}

export function LivePage({
  document: shown,
  state,
  news,
  question: asks,
  comments,
  seen,
  end,
  trouble,
  ask,
}: PageParts & {
  readonly document: NonNullable<PageParts['document']>;
  /** Why the page may be out of date; null if it is not. */
  readonly trouble: string | null;
  readonly ask: AskServer;
}) {
  const [dialog, open] = useState<Dialog | null>(null);
  const latest = useRef(seen);
  latest.current = seen;
  // While a form is on its way, what is typed is no key of the page.
  const isBusy = useRef(false);
  const question = end === null ? asks : null;

  const close = () => open(null);
  const act = async (name: string, about: string, choice?: string) => {
    isBusy.current = true;
    const { body: first } = await ask('/api/act', { name, about });
    isBusy.current = false;
    const { form } = Object(first);
    if (form === undefined) return open(toRead(first));
    // What changes meanwhile is refused once. An answer is given to what was looked at before.
    let since = latest.current;
    const send = async (values: object) => {
      const { status, body } = await ask('/api/act', { name, about, values, seen: since });
      if (name !== 'answer') since = latest.current;
      if (status !== 200) return String(body['why']);
      open((now) => (now === own ? toRead(body) : now));
      return null;
    };
    const draft = `${name} ${form.asks}`;
    const own: Dialog = {
      title: form.asks,
      body: <QuestionForm key={draft} {...{ form, draft, choice, send, leave: close }} />,
      ...(name === 'answer' && { question: Number(about) }),
    };
    open(own);
  };
  const run = (name: string, anchor: string) => {
    if (isBusy.current) return;
    if (name === 'help') open({ title: 'Keys', body: <KeyHelp run={run} /> });
    else if (name !== 'answer' && name !== 'approve') void act(name, anchor);
    else if (question !== null) void act('answer', String(question.id), name);
  };
  usePageKeys(run);

  // Equal comments are the same ones, so that not each line is drawn again.
  const same = useMemo(() => comments, [JSON.stringify(comments)]);
  const page = useMemo(() => <PageView document={shown} state={state} />, [shown, state]);
  return (
    <Live.Provider value={ask}>
      <CommentList.Provider value={same}>{page}</CommentList.Provider>
      <footer class="bar">
        <p role="status">{trouble ?? end ?? (question?.form.asks || news || state)}</p>
        {question === null ? null : (
          <button type="button" class="main" onClick={() => run('answer', '')}>
            Answer <kbd>a</kbd>
          </button>
        )}
        <button type="button" onClick={() => run('help', '')}>
          Keys <kbd>?</kbd>
        </button>
      </footer>
      {dialog === null || (dialog.question ?? question?.id) !== question?.id ? null : (
        <PageDialog key={dialog.title} dialog={dialog} close={close} />
      )}
    </Live.Provider>
  );
}

/** What an act led to, to be read; null if there is nothing to say. */
function toRead(reply: object): Dialog | null {
  const { title, blocks, why } = Object(reply);
  if (blocks !== undefined) return { title, body: <Blocks blocks={blocks} level={3} /> };
  return why === undefined ? null : { title: why, body: null };
}

/** A dialog over the page, which Escape closes; then the line before has the focus again. */
function PageDialog({
  dialog: { title, body },
  close,
}: {
  readonly dialog: Dialog;
  readonly close: () => void;
}) {
  const element = useRef<HTMLDialogElement>(null);
  // Before the next key is read, so that whoever types on loses none.
  useLayoutEffect(() => {
    const { current } = element;
    current?.showModal();
    current?.querySelector<HTMLElement>('input:checked, textarea:enabled, button')?.focus();
    return () => current?.close();
  }, []);
  return (
    <dialog ref={element} onCancel={close} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{title}</h2>
      {body}
      <button type="button" class="quiet" onClick={close}>
        Close <kbd>Esc</kbd>
      </button>
    </dialog>
  );
}
