// Shows a review in a browser as it changes: its document, its comments, its question, and its keys.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Form, textField } from '../../model/form.ts';
import { Blocks } from './blocks.tsx';
import { KeyHelp, usePageKeys } from './page-keys.tsx';
import { type AskServer, Commented, Live, type PageParts } from './page-parts.ts';
import { PageView } from './page-view.tsx';
import { QuestionForm } from './question-form.tsx';

/** A form, where its values go, and with what. */
interface Asked {
  readonly form: Pick<Form, 'asks' | 'lines' | 'fields'>;
  readonly path: string;
  readonly body: (values: object, seen: string) => object;
  /** The name under which the tab keeps what is typed. */
  readonly draft: string;
  readonly choice?: string | undefined;
  /** The number of the question that it answers: it changes and closes with it. */
  readonly question?: number;
}

/** What is open over the page: something to read, or a form. */
type Dialog =
  | { readonly title: string; readonly body: ComponentChildren }
  | (Asked & { readonly send: (values: object) => Promise<string | null> });

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
  const question = end === null ? asks : null;

  const openForm = (asked: Asked) => {
    // What changes meanwhile is refused once; what can be undone is taken if the person sends it again.
    let since = latest.current;
    const send = async (values: object) => {
      const { status, body } = await ask(asked.path, asked.body(values, since));
      if (asked.question === undefined) since = latest.current;
      if (status !== 200) return String(body['why']);
      open((now) => (now === own ? readable(body) : now));
      return null;
    };
    const own = { ...asked, send };
    open(own);
  };
  const answer = (choice?: string) => {
    if (question === null) return;
    const { id, form } = question;
    const body = (values: object, then: string) => ({ question: id, values, seen: then });
    openForm({ form, path: '/api/answer', body, draft: `question ${id}`, question: id, choice });
  };
  const act = async (name: string, about: string) => {
    const reply = await ask(`/api/act?${new URLSearchParams({ name, about })}`);
    const { form } = Object(reply.body);
    if (form === undefined) return open(readable(reply.body));
    const body = (values: object, then: string) => ({ name, about, values, seen: then });
    openForm({ form, path: '/api/act', body, draft: `${name} ${form.asks}` });
  };
  const comment = (anchor: string) => {
    const old = comments.find(
      (one) => one.sent === null && (one.isHere ? one.anchor : '') === anchor,
    );
    const quote = document.getElementById(anchor)?.dataset['line'] ?? '';
    const field = textField('text', 'Your comment', { proposed: old?.text ?? null });
    openForm({
      form: { asks: quote || 'The whole', lines: [], fields: [field] },
      path: '/api/comment',
      body: (values) => ({ anchor, quote, text: '', id: old?.id, ...values }),
      draft: `comment ${anchor}`,
    });
  };
  const run = (name: string, anchor: string) => {
    if (name === 'help') open({ title: 'Keys', body: <KeyHelp run={run} /> });
    else if (name === 'comment') comment(anchor);
    else if (name === 'answer') answer();
    else if (name === 'approve') answer(name);
    else void act(name, anchor);
  };
  usePageKeys(run);

  const page = useMemo(() => <PageView document={shown} state={state} />, [shown, state]);
  const current = dialog !== null && 'form' in dialog ? upToDate(dialog, question) : dialog;
  return (
    <Live.Provider value={ask}>
      <Commented.Provider value={comments}>{page}</Commented.Provider>
      <footer class="bar">
        <p role="status">{trouble ?? end ?? (question?.form.asks || news || state)}</p>
        {question === null ? null : (
          <button type="button" class="main" onClick={() => answer()}>
            Answer <kbd>a</kbd>
          </button>
        )}
        <button type="button" onClick={() => run('help', '')}>
          Keys <kbd>?</kbd>
        </button>
      </footer>
      {current === null ? null : (
        <PageDialog
          key={'form' in current ? current.draft : current.title}
          dialog={current}
          close={() => open(null)}
        />
      )}
    </Live.Provider>
  );
}

/** What an act led to, to be read; null if there is nothing to say. */
function readable(reply: object): Dialog | null {
  const { title, blocks, why } = Object(reply);
  if (blocks !== undefined) return { title, body: <Blocks blocks={blocks} level={3} /> };
  return why === undefined ? null : { title: why, body: null };
}

/** The form of a question as it reads now; null once it is over. The page itself shows what a plan or a result says. */
function upToDate<Shown extends Asked>(
  dialog: Shown,
  question: PageParts['question'],
): Shown | null {
  if (dialog.question === undefined) return dialog;
  if (question?.id !== dialog.question) return null;
  const { form } = question;
  const isShown = form.kind === 'approve' || form.kind === 'apply';
  return { ...dialog, form: isShown ? { ...form, lines: [] } : form };
}

/** A dialog over the page, which Escape closes; then the line before has the focus again. */
function PageDialog({ dialog, close }: { readonly dialog: Dialog; readonly close: () => void }) {
  const element = useRef<HTMLDialogElement>(null);
  // Before the next key is read, so that whoever types on loses none.
  useLayoutEffect(() => {
    const { current } = element;
    current?.showModal();
    current?.querySelector<HTMLElement>('input:checked, textarea:enabled, button')?.focus();
    return () => current?.close();
  }, []);
  const isForm = 'form' in dialog;
  return (
    <dialog ref={element} onCancel={close} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{isForm ? dialog.form.asks : dialog.title}</h2>
      {isForm ? <QuestionForm {...dialog} leave={close} /> : dialog.body}
      <button type="button" class="quiet" onClick={close}>
        Close <kbd>Esc</kbd>
      </button>
    </dialog>
  );
}
