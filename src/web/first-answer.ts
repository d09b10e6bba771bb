// Shows a session in a page besides another face, and takes for each question the answer that comes first.
import { answersByForm } from '../faces/question-forms.ts';
import type { Event, SessionEvent } from '../model/event.ts';
import type { Answers, QuestionKind, View } from '../workflow/view-port.ts';
import type { Page } from './open-page.ts';

/** A face with a page besides it. */
export interface PagedView extends View {
  /** Makes a new link to the page, and tells the face. */
  newLink(): unknown;
}

/**
 * Makes the view that shows everything at both. The person at the other face is asked, too, if there is one. The
 * page is announced once the session is open.
 */
export function withPage(
  { show, ...traits }: Omit<View, QuestionKind>,
  person: Answers | null,
  page: Page,
): PagedView {
  let context: ReturnType<Parameters<typeof answersByForm>[1]> = {
    session: '',
    steers: traits.steers === true,
  };
  let seq = 0;
  const onPage = answersByForm(page.ask, () => context);
  const tell = (event: Event) => {
    seq += 1;
    show({ ...event, seq });
  };
  const tellNew = (event: SessionEvent) =>
    tell({ ...event, seq, at: new Date().toISOString(), replayed: false });
  // What a program prints may be kept as a log, where no key belongs: the private file leads on.
  const newLink = async () => {
    const link = await page.newLink();
    const url = person === null ? link.url.replace(/#.*$/, '') : link.url;
    tellNew({ type: 'page.opened', ...link, url });
    return link;
  };

  const both =
    <Kind extends QuestionKind>(kind: Kind) =>
    async (asked: Parameters<Answers[Kind]>[0], signal: AbortSignal) => {
      const question = lookedUpOnce(asked);
      const over = new AbortController();
      const either = AbortSignal.any([signal, over.signal]);
      const byPage = page
        .whileCurrent(either, async (now) => await onPage[kind](question, now))
        .then((answer) => ({ answer, where: 'browser' as const }));
      const byPerson = person?.[kind](question, either).then((answer) => ({
        answer,
        where: 'terminal' as const,
      }));
      const all = byPerson === undefined ? [byPage] : [byPage, byPerson];
      try {
        const first = await Promise.race(all);
        over.abort();
        // The other face puts its question away before it hears of the answer.
        await Promise.allSettled(all);
        tellNew({ type: 'page.answered', where: first.where });
        page.answered(first.where);
        return first.answer;
      } finally {
        over.abort();
      }
    };
  return {
    ...traits,
    newLink,
    show(event) {
      const isFirst = seq === 0;
      tell(event);
      if (event.type === 'session.started' || event.type === 'session.resumed')
        context = { ...context, session: event.session };
      if (event.type === 'plan.approved') context = { ...context, isApprovedNow: !event.replayed };
      void page.show(event);
      if (isFirst) void newLink().then((link) => page.openBrowser(link));
    },
    clarify: both('clarify'),
    decide: both('decide'),
    approve: async (question, signal) => {
      await page.isAbout({ desk: question.desk, result: null });
      return await both('approve')(question, signal);
    },
    execute: both('execute'),
    apply: async (question, signal) => {
      await page.isAbout({ result: question });
      return await both('apply')(question, signal);
    },
    choose: both('choose'),
  };
}

/** A question whose missing parts are looked up once, though two faces ask for them. */
function lookedUpOnce<Question extends object>(question: Question): Question {
  if (!('lookUp' in question) || typeof question.lookUp !== 'function') return question;
  const { lookUp } = question;
  let found: unknown = null;
  return { ...question, lookUp: () => (found ??= lookUp()) };
}
