// Opens the page of a session: what it shows, what it may do, and the links to it.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type ReportData, readReport } from '../app/read-report.ts';
import { describeSession } from '../app/saved-session.ts';
import { linesOf } from '../faces/event-lines.ts';
import { firstOf } from '../faces/elsewhere.ts';
import { formOf } from '../faces/question-forms.ts';
import { sessionDocument } from '../faces/session-document.ts';
import { sessionStateText } from '../faces/session-words.ts';
import { cleanDocument, reviewHtml } from '../faces/web/page-html.tsx';
import { pageStyle } from '../faces/web/page-style.ts';
import { emptyParts, type PageParts } from '../faces/web/page-parts.ts';
import type { Document } from '../model/document.ts';
import type { Event } from '../model/event.ts';
import {
  type FormQuestion,
  FormValues,
  type ReadValues,
  namedChoices,
  readForm,
} from '../model/form.ts';
import { steps } from '../model/steps.ts';
import { commentFates, readComments } from '../phases/planning/comments.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { digestOf } from '../store/digest.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import {
  type Answers,
  type QuestionKind,
  type View,
  answersBy,
  withOwnEvents,
} from '../workflow/view-port.ts';
import { openBrowser, tunnelTo } from './open-browser.ts';
import { emptySubject, pageActs, type Subject } from './page-acts.ts';
import { Refused, servePage } from './page-server.ts';

/** A face with a page besides it. */
export interface PagedView extends View {
  /** Makes a new link to the page, and tells the face. */
  newLink(): unknown;
}

export interface Page {
  /** Says what the page is about, as soon as it is known. */
  isAbout(part: Partial<Subject>): Promise<void>;
  /**
   * Makes the view that shows everything at a face and in the page. The person at the face is asked, too, if there
   * is one. The page is announced once the session is open.
   */
  beside(face: Omit<View, QuestionKind>, person: Answers | null): PagedView;
  close(): Promise<void>;
}

const Act = z.object({
  name: z.enum(Object.keys(pageActs)),
  about: z.string(),
  seen: z.string().optional(),
  values: FormValues.optional(),
});

/** Starts to serve a page at this port, or at any free one for 0. Throws `usage` for a port that is in use. */
export async function openPage({
  port: wanted,
  environment,
}: {
  readonly port: number;
  readonly environment: NodeJS.ProcessEnv;
}): Promise<Page> {
  let subject = emptySubject;
  let shown: PageParts = emptyParts;
  let last: Promise<unknown> = Promise.resolve();
  let questions = 0;
  const server = await servePage({
    port: wanted,
    page: await pageOf(),
    whole: () => shown,
    act: (input) => inTurn(() => act(input)),
  });
  const linkFolder = await mkdtemp(join(tmpdir(), 'conclave-page-'));

  function set(part: Partial<PageParts>): void {
    const next = { ...shown, ...part };
    if (isDeepStrictEqual(next, shown)) return;
    shown = next;
    server.tell(part);
  }

  /** Gives the form of an act, or carries it out with the values of one. */
  async function act(input: unknown): Promise<unknown> {
    const { success, data } = Act.safeParse(input);
    if (!success) throw new Refused('This has not the expected form.');
    const { name, about, seen, values } = data;
    // What any other act does can be undone by another one.
    const isBound = values !== undefined && (name === 'edit' || name === 'answer');
    const isStale = isBound && seen !== (await seenNow());
    if (isStale) await look();
    const found = await pageActs[name]?.({ ...subject, shown }, about);
    if (found === undefined || !('form' in found)) return found;
    if (values === undefined) {
      const fields = found.form.fields.map((one) => ({ ...one, choices: namedChoices(one) }));
      return { form: { ...found.form, fields } };
    }
    if (isStale)
      throw new Refused('It has changed meanwhile. Look at it again, then send this again.', 409);
    const read = readForm(found, values);
    if ('refusal' in read) throw new Refused(read.refusal);
    const reply = await read.answer;
    // A comment changes nothing else, and is on its page before the rest is read.
    if (name === 'comment') await showComments();
    else await look();
    return reply;
  }

  /** Does one thing after the other, so that nothing older is shown later, and no act is looked at halfway. */
  function inTurn<Done>(work: () => Promise<Done>): Promise<Done> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  const refresh = () => inTurn(look);

  /** Reads what there is to show. */
  async function look(): Promise<void> {
    if (subject.session === null) return;
    const { data, ofPlan, seen } = await readSession(subject.session.folder, subject);
    const document = cleanDocument(wholeDocument(data, ofPlan));
    set({ seen, document, state: sessionStateText(data.state) });
    await showComments();
  }

  async function seenNow(): Promise<string> {
    const { session } = subject;
    return session === null ? shown.seen : (await readSession(session.folder, subject)).seen;
  }

  async function showComments(): Promise<void> {
    if (subject.session === null) return;
    const comments = await readComments(subject.session.folder);
    set({ comments: commentFates(comments, shown.document) });
  }

  async function isAbout(part: Partial<Subject>): Promise<void> {
    subject = { ...subject, ...part };
    await refresh();
  }

  /** Asks on the page until somebody answers or the signal is aborted; the form is made anew for each look at it. */
  async function ask<Answer>(
    make: () => Promise<FormQuestion<Answer>>,
    signal: AbortSignal,
  ): Promise<Answer> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    const remake = async () => {
      const { form, answer } = await make();
      // The page itself shows what options, a plan or a result say.
      const lines = form.kind === 'choose' ? form.lines : [];
      const take = async (values: ReadValues) => resolve(answer(values));
      return { form: { ...form, lines }, answer: take };
    };
    questions += 1;
    const id = questions;
    const offer = async () => {
      const { form } = await remake();
      if (signal.aborted) return;
      subject = { ...subject, question: { id, make: remake } };
      set({ question: { id, form } });
    };
    try {
      return await Promise.race([promise, offer().then(() => promise)]);
    } finally {
      subject = { ...subject, question: null };
      set({ question: null });
    }
  }

  async function tell(event: Event): Promise<void> {
    if (event.replayed) return;
    if (event.type === 'phase.entered') {
      const { phase, round } = event;
      const isRound = phase === 'discussion' && round !== null;
      subject = { ...subject, round: isRound ? steps.round(round).group : null };
    }
    const [line] = linesOf(event);
    if (line !== undefined) set({ news: line[1] });
    if (event.type === 'session.finished') set({ question: null, end: event.message });
    if (!/^(?:agent|usage|step|warning)\./.test(event.type)) await refresh();
  }

  return {
    isAbout,
    beside({ show, ...traits }, person) {
      let isAnnounced = false;
      const events = withOwnEvents(show);
      /** Tells a link that opens one page once, a private file that leads on to it, and the way from afar. */
      const announce = async () => {
        const file = join(linkFolder, 'open.html');
        const here = `http://127.0.0.1:${server.port}/`;
        const url = `${here}#key=${server.newToken()}`;
        const text = `<meta http-equiv="refresh" content="0;url=${url}">\n`;
        await writeFile(file, text, { mode: 0o600 });
        const tunnel = tunnelTo(server.port, environment);
        // What a program prints may be kept as a log, where no key belongs: the private file leads on.
        events.tell({ type: 'page.opened', file, tunnel, url: person === null ? here : url });
        return { url, file };
      };
      const onPage = answersBy((kind) => (question, signal) => {
        const session = subject.session?.folder.id ?? '';
        const context = { session, steers: true, isApprovedNow: true };
        return ask(() => formOf[kind](question, context), signal);
      });
      const here: Answers = {
        ...onPage,
        async approve(question, signal) {
          await isAbout({ desk: question.desk, result: null });
          return await onPage.approve(question, signal);
        },
        async apply(question, signal) {
          await isAbout({ result: question });
          return await onPage.apply(question, signal);
        },
      };
      const answered = (at: number) => {
        const where = at === 0 ? 'browser' : 'terminal';
        events.tell({ type: 'page.answered', where });
        set({ news: `It was answered in the ${where}.` });
      };
      return {
        ...traits,
        steers: true,
        ...firstOf(person === null ? [here] : [here, person], answered),
        newLink: announce,
        show(event) {
          events.show(event);
          void tell(event);
          if (!isAnnounced) void announce().then((link) => openBrowser(link, environment));
          isAnnounced = true;
        },
      };
    },
    async close() {
      await last;
      await server.close();
      await rm(linkFolder, { recursive: true, force: true });
    },
  };
}

/** Reads the session; until there is a result, with the plan as a person decides about it. */
async function readSession(folder: SessionFolder, { desk, result }: Subject) {
  const [data, plan] = await Promise.all([
    describeSession(join(folder.path, '../../..'), folder.id).then(readReport),
    result === null ? desk?.read() : undefined,
  ]);
  const ofPlan = plan?.document ?? null;
  // What may change while a person reads does not make an answer stale.
  const bound = { ...data, ofPlan, state: null, approval: null, bill: null, calls: null };
  return { data, ofPlan, seen: digestOf(bound) };
}

/** The plan as a person decides about it, if one is reviewed now, before the rest of the session. */
function wholeDocument(data: ReportData, plan: Document | null): Document {
  if (plan === null) return sessionDocument(data);
  const { title, blocks } = sessionDocument({ ...data, plan: null, contextPackage: null });
  return { title, blocks: [...plan.blocks, ...blocks.filter(({ kind }) => kind === 'section')] };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');

/** The page with the policy by which its browser runs only this script, and asks only this server. */
async function pageOf() {
  const script = await readFile(join(packageRoot(), 'dist/page.js'), 'utf8');
  const policy = `default-src 'none'; script-src 'sha256-${hashOf(script)}'; style-src 'sha256-${hashOf(pageStyle)}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { html: reviewHtml(script), policy };
}
