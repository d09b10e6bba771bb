// Shows a review in a browser as it changes: its document, its comments, its question, and its keys.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Blocks } from './blocks.tsx';
import { Comments } from './page-comments.tsx';
import { type KeyActions, KeyHelp, usePageKeys } from './page-keys.tsx';
import { Live, Margin } from './page-live.ts';
import type { AskServer, PageParts } from './page-parts.ts';
import { PageView } from './page-view.tsx';
import { QuestionForm } from './question-form.tsx';

interface Dialog {
  readonly title: string;
  readonly body: ComponentChildren;
  /** The question that it asks: it closes with it. */
  readonly question?: number;
}

export function LivePage({
  document: shown,
  state,
  news,
  question,
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
  const [writing, write] = useState<string | null>(null);
  const [notice, tell] = useState('');
  const latest = useRef(seen);
  latest.current = seen;
  useEffect(() => {
    tell('');
    open((now) => (now?.question === undefined || now.question === question?.id ? now : null));
  }, [question?.id]);

  /** Shows what an act led to. */
  const reveal = (body: Readonly<Record<string, unknown>>) => {
    const { title, blocks, why } = Object(body);
    if (why !== undefined) tell(String(why));
    open(blocks === undefined ? null : { title, body: <Blocks blocks={blocks} level={3} /> });
  };
  const act = async (name: string, about: string) => {
    const { body } = await ask(`/api/act?${new URLSearchParams({ name, about })}`);
    const { form } = Object(body);
    if (form === undefined) return reveal(body);
    // What changes meanwhile is refused once, and taken if the person sends it again.
    let since: string | null = latest.current;
    const send = async (values: unknown) => {
      const sent = { name, about, values, seen: since ?? latest.current };
      const { status, body: reply } = await ask('/api/act', sent);
      since = null;
      if (status !== 200) return String(reply['why']);
      reveal(reply);
      return null;
    };
    open({
      title: form.asks,
      body: <QuestionForm key={name} form={form} draft={`${name} ${about}`} send={send} />,
    });
  };
  const answer = (choice?: string) => {
    if (question === null || end !== null) return;
    const { id, form } = question;
    const own = form.fields.find(({ name }) => name === 'choice')?.choices ?? [];
    const isShown = ['decide', 'approve', 'apply'].includes(form.kind);
    const send = async (values: unknown) => {
      const { status, body } = await ask('/api/answer', { question: id, seen, values });
      return status === 200 ? null : String(body['why']);
    };
    open({
      title: form.asks,
      question: id,
      body: (
        <QuestionForm
          key={id}
          form={isShown ? { ...form, lines: [] } : form}
          draft={`question ${id}`}
          choice={own.find(({ value }) => choice !== undefined && value.startsWith(choice))?.value}
          send={send}
        />
      ),
    });
  };
  const actions: KeyActions = {
    answer,
    act: (name, about) => void act(name, about),
    write: (anchor) => end === null && write(anchor),
    help: () => open({ title: 'Keys', body: <KeyHelp actions={actions} /> }),
  };
  usePageKeys(actions);
  const margin = useCallback(
    (anchor: string) => <Comments {...{ anchor, comments, writing, write, ask }} />,
    [comments, writing],
  );
  const page = useMemo(() => <PageView document={shown} state={state} />, [shown, state]);
  return (
    <Live.Provider value={ask}>
      <Margin.Provider value={margin}>{page}</Margin.Provider>
      <footer class="bar">
        <p role="status">{trouble ?? end ?? (notice || question?.form.asks || news || state)}</p>
        {question === null || end !== null ? null : (
          <button type="button" class="main" onClick={() => answer()}>
            Answer <kbd>a</kbd>
          </button>
        )}
        <button type="button" onClick={actions.help}>
          Keys <kbd>?</kbd>
        </button>
      </footer>
      {dialog === null ? null : <PageDialog dialog={dialog} close={() => open(null)} />}
    </Live.Provider>
  );
}

/** A dialog over the page, which Escape closes. */
function PageDialog({
  dialog: { title, body },
  close,
}: {
  readonly dialog: Dialog;
  readonly close: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onCancel={close} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{title}</h2>
      {body}
      <button type="button" class="quiet" onClick={close}>
        Close <kbd>Esc</kbd>
      </button>
    </dialog>
  );
}
