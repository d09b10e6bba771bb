// Shows a review in a browser as it changes: its document, its comments, its question, and its keys.
/** @jsxImportSource preact */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { Comments, type Commenting } from './page-comments.tsx';
import { IsLive, Margin } from './margin.ts';
import { PageDialog } from './page-dialog.tsx';
import { KeyHelp, usePageKeys } from './page-keys.tsx';
import type { PageParts, Send } from './page-parts.ts';
import { PageView } from './page-view.tsx';
import { QuestionForm } from './question-form.tsx';

type Opened = 'question' | 'keys' | null;

export function LivePage({
  parts,
  trouble,
  send,
}: {
  readonly parts: PageParts;
  /** Why the page may be out of date; null if it is not. */
  readonly trouble: string | null;
  readonly send: Send;
}) {
  const { document, state, news, question, comments, seen, end } = parts;
  const [opened, open] = useState<Opened>(null);
  const [writing, write] = useState<string | null>(null);
  const close = useCallback(() => open(null), []);
  useEffect(close, [question?.id]);
  usePageKeys({
    write: (anchor) => end === null && write(anchor),
    answer: () => question !== null && open('question'),
    help: () => open('keys'),
  });
  const commenting = useMemo(
    (): Commenting => ({ comments, writing, write, send }),
    [comments, writing],
  );
  const margin = useCallback(
    (anchor: string) => <Comments anchor={anchor} {...commenting} />,
    [commenting],
  );
  const page = useMemo(() => <PageView document={document} state={state} />, [document, state]);
  return (
    <IsLive.Provider value={true}>
      <Margin.Provider value={margin}>{page}</Margin.Provider>
      <footer class="bar">
        <p role="status">{trouble ?? end ?? question?.form.asks ?? (news || state)}</p>
        {question === null || end !== null ? null : (
          <button type="button" class="main" onClick={() => open('question')}>
            Answer <kbd>a</kbd>
          </button>
        )}
        <button type="button" onClick={() => open('keys')}>
          Keys <kbd>?</kbd>
        </button>
      </footer>
      {opened === 'keys' ? (
        <PageDialog title="Keys" onClose={close}>
          <KeyHelp />
        </PageDialog>
      ) : null}
      {opened === 'question' && question !== null ? (
        <PageDialog title={question.form.asks} onClose={close}>
          <QuestionForm
            form={question.form}
            send={(values) => send('/api/answer', { question: question.id, seen, values })}
          />
        </PageDialog>
      ) : null}
    </IsLive.Provider>
  );
}
