// Shows a review in a browser as it changes: its document, its comments, its question, and its keys.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Blocks } from './blocks.tsx';
import { KeyHelp, press, usePageKeys } from './page-keys.tsx';
import { type AskServer, CommentList, Live, type PageParts } from './page-parts.ts';
import { PageView } from './page-view.tsx';
import { QuestionForm } from './question-form.tsx';

/** What is open over the page: something to read, or the form of an act. */
interface Dialog {
  readonly title: string;
  readonly body: ComponentChildren;
  /** The number of the question that it answers: it closes with it. */
  readonly question?: string;
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
  /** Why the page may be out of date; null if it is not. */
  readonly trouble: string | null;
  readonly ask: AskServer;
}) {
  const [dialog, open] = useState<Dialog | null>(null);
  const latest = useRef(seen);
  latest.current = seen;
  const question = end === null ? asks : null;
  const number = String(question?.id);
  // While the server is asked, what is typed is no key of the page.
  const isBusy = useRef(false);
  const askAlone: AskServer = async (act) => {
    isBusy.current = true;
    const reply = await ask(act);
    isBusy.current = false;
    return reply;
  };
  const run = async (name: string, anchor: string) => {
    if (isBusy.current) return;
    if (name === 'help') return open({ title: 'Keys', body: <KeyHelp run={run} /> });
    const isAnswer = name === 'answer';
    const about = isAnswer ? number : anchor;
    const first = await askAlone({ name, about });
    const { form } = Object(first);
    if (form === undefined) return open(toRead(first));
    let since = latest.current;
    const send = async (values: object) => {
      const reply = await askAlone({ name, about, values, seen: since });
      // A change in the meantime is refused once; an answer is given to the state that was looked at.
      if (!isAnswer) since = latest.current;
      if (reply.why === undefined) open(toRead(reply));
      return reply.why;
    };
    const body = <QuestionForm form={form} send={send} />;
    open({ title: form.asks, body, ...(isAnswer && { question: about }) });
  };
  usePageKeys(run);

  const page = useMemo(() => shown && <PageView document={shown} state={state} />, [shown, state]);
  return (
    <Live.Provider value={ask}>
      <CommentList.Provider value={comments}>{page}</CommentList.Provider>
      <footer class="bar">
        <p role="status">
          {trouble ?? end ?? (question?.form.asks || news || state || 'Loading…')}
        </p>
        {bar.map(([key, does]) =>
          (key === 'a' && question === null) || (key === 'c' && end !== null) ? null : (
            <button
              key={key}
              type="button"
              class={key === 'a' ? 'main' : ''}
              // The line that is meant keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => press(key, run)}
            >
              {does} <kbd>{key}</kbd>
            </button>
          ),
        )}
      </footer>
      {dialog === null || (dialog.question ?? number) !== number ? null : (
        <PageDialog key={dialog.title} dialog={dialog} close={() => open(null)} />
      )}
    </Live.Provider>
  );
}

/** The keys that are always in sight. */
const bar = [
  ['a', 'Answer'],
  ['c', 'Comment'],
  ['?', 'Keys'],
] as const;

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
    current?.querySelector<HTMLElement>('input:checked, textarea, button')?.focus();
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
