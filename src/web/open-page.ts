// Opens the page of a session: what it shows, what it may do, and the links to it.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readReport } from '../app/read-report.ts';
import { describeSession } from '../app/saved-session.ts';
import { linesOf } from '../faces/event-lines.ts';
import { firstOf } from '../faces/elsewhere.ts';
import type { FormContext } from '../faces/execution-forms.ts';
import { formOf } from '../faces/question-forms.ts';
import { sessionDocument } from '../faces/session-document.ts';
import { sessionStateText } from '../faces/session-words.ts';
import { cleanDocument, reviewHtml } from '../faces/web/page-html.tsx';
import { pageStyle } from '../faces/web/page-style.ts';
import type { Document } from '../model/document.ts';
import type { Event, SessionEvent } from '../model/event.ts';
import { type FormQuestion, FormValues, type ReadValues, readForm } from '../model/form.ts';
import { steps } from '../model/steps.ts';
import { commentFates, readComments } from '../phases/planning/comments.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { digestOf } from '../store/digest.ts';
import { type Answers, type QuestionKind, type View, answersBy } from '../workflow/view-port.ts';
import { openBrowser, tunnelTo } from './open-browser.ts';
import { pageAccess } from './page-access.ts';
import { emptySubject, pageActs, type Subject } from './page-acts.ts';
import { entry, Refused, servePage } from './page-server.ts';
import { pageState } from './page-state.ts';

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

const Link = z.object({ token: z.string().catch('') });
const Since = z.object({ after: z.coerce.number() });
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
  const access = pageAccess();
  const state = pageState();
  let subject: Subject = emptySubject;
  let questions = 0;
  let linkFolder: string | null = null;
  const server = await servePage({
    access,
    port: wanted,
    page: await pageOf(),
    routes: {
      [entry]: reading(Link, async ({ token }) => ({ bearer: access.redeem(token) })),
      'GET /api/page': reading(Since, ({ after }, signal) => state.since(after, signal)),
      'POST /api/act': reading(Act, act),
    },
  });

  /** Gives the form of an act, or carries it out with the values of one. */
  async function act({ name, about, seen, values }: z.infer<typeof Act>) {
    if (values !== undefined) await refresh();
    const found = await pageActs[name]?.(subject, about);
    if (found === undefined || !('form' in found)) return found;
    if (values === undefined) return { form: found.form };
    // What any other act does can be undone by another one.
    if ((name === 'edit' || name === 'answer') && seen !== subject.seen)
      throw new Refused(409, 'It has changed meanwhile. Look at it again, then send this again.');
    const read = readForm(found, values);
    if ('refusal' in read) throw new Refused(422, read.refusal);
    const reply = await read.answer;
    await refresh();
    return reply;
  }

  /** Reads what there is to show. */
  async function refresh(): Promise<void> {
    const { session } = subject;
    if (session === null) return;
    const { words, ...now } = await readShown(session.folder, subject);
    const comments = await readComments(session.folder);
    subject = { ...subject, ...(now.seen === subject.seen ? {} : now), comments };
    const { document, seen } = subject;
    state.set({ document, seen, state: words, comments: commentFates(comments, document) });
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
    questions += 1;
    const question = {
      id: questions,
      async make() {
        const { form, answer } = await make();
        // The page itself shows what a plan or a result says.
        const lines = form.kind === 'approve' || form.kind === 'apply' ? [] : form.lines;
        return {
          form: { ...form, lines },
          answer: async (values: ReadValues) => resolve(answer(values)),
        };
      },
    };
    subject = { ...subject, question };
    const offer = async () => {
      const { form } = await question.make();
      if (subject.question === question) state.set({ question: { id: question.id, form } });
    };
    try {
      return await Promise.race([promise, offer().then(() => promise)]);
    } finally {
      subject = { ...subject, question: null };
      state.set({ question: null });
    }
  }

  /** Makes a link that opens one page once, a private file that leads on to it, and says the way from another machine. */
  async function newLink() {
    linkFolder ??= await mkdtemp(join(tmpdir(), 'conclave-page-'));
    const file = join(linkFolder, 'open.html');
    const url = `http://127.0.0.1:${server.port}/#key=${access.newToken()}`;
    await writeFile(file, `<meta http-equiv="refresh" content="0;url=${url}">\n`, { mode: 0o600 });
    return { url, file, tunnel: tunnelTo(server.port, environment) };
  }

  async function tell(event: Event): Promise<void> {
    if (event.replayed) return;
    if (event.type === 'phase.entered') {
      const { phase, round } = event;
      const group = phase === 'discussion' && round !== null ? steps.round(round).group : null;
      subject = { ...subject, round: group };
    }
    const [line] = linesOf(event);
    if (line !== undefined) state.set({ news: line[1] });
    if (event.type === 'session.finished') state.set({ question: null, end: event.message });
    if (!/^(?:agent|usage|step|warning)\./.test(event.type)) await refresh();
  }

  return {
    isAbout,
    beside({ show, ...traits }, person) {
      let context: FormContext = { session: '', steers: traits.steers === true };
      let seq = 0;
      const number = (event: Event) => {
        seq += 1;
        show({ ...event, seq });
      };
      const add = (event: SessionEvent) =>
        number({ ...event, seq, at: new Date().toISOString(), replayed: false });
      const announce = async () => {
        const link = await newLink();
        // What a program prints may be kept as a log, where no key belongs: the private file leads on.
        const url = person === null ? link.url.replace(/#.*$/, '') : link.url;
        add({ type: 'page.opened', ...link, url });
        return link;
      };
      const onPage = answersBy(
        (kind) => (question, signal) => ask(() => formOf[kind](question, context), signal),
      );
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
        add({ type: 'page.answered', where });
        state.set({ news: `It was answered in the ${where}.` });
      };
      return {
        ...traits,
        ...firstOf(person === null ? [here] : [here, person], answered),
        newLink: announce,
        show(event) {
          const isFirst = seq === 0;
          number(event);
          if (event.type === 'session.started' || event.type === 'session.resumed')
            context = { ...context, session: event.session };
          if (event.type === 'plan.approved')
            context = { ...context, isApprovedNow: !event.replayed };
          void tell(event);
          if (isFirst) void announce().then((link) => openBrowser(link, environment));
        },
      };
    },
    async close() {
      await server.close();
      if (linkFolder !== null) await rm(linkFolder, { recursive: true, force: true });
    },
  };
}

/** A route that refuses what has another shape. */
function reading<Shape extends z.ZodType>(
  shape: Shape,
  answer: (input: z.infer<Shape>, signal: AbortSignal) => Promise<unknown>,
) {
  return async (input: unknown, signal: AbortSignal) => {
    const { success, data } = shape.safeParse(input);
    if (!success) throw new Refused(422, 'This has not the expected form.');
    return await answer(data, signal);
  };
}

/** Reads the session; until there is a result, it shows the plan as a person decides about it. */
async function readShown(folder: NonNullable<Subject['session']>['folder'], subject: Subject) {
  const root = join(folder.path, '../../..');
  const data = await readReport(await describeSession(root, folder.id));
  // State, approval and bill change while a person reads.
  const { state } = data;
  const plan = subject.result === null ? ((await subject.desk?.read())?.document ?? null) : null;
  const isOfPlan = plan !== null;
  const shown = { ...data, isOfPlan, state: null, approval: null, bill: null, calls: null };
  const document = cleanDocument(withPlan(sessionDocument(data), plan));
  const ids = data.tasks.map(({ id }) => id);
  return { seen: digestOf(shown), document, ids, words: sessionStateText(state) };
}

/** The plan as a person decides about it, if one is reviewed now, before the rest of the session. */
function withPlan({ title, blocks }: Document, plan: Document | null): Document {
  if (plan === null) return { title, blocks };
  const rest = blocks.filter(({ kind, anchor }) => kind === 'section' && !inPlan.test(anchor));
  return { title, blocks: [...plan.blocks, ...rest] };
}

/** The sections of a session that its plan contains, too. */
const inPlan = /^(?:plan|findings|tasks|remarks)$/;

/** The page with the policy by which its browser runs only this script, and asks only this server. */
async function pageOf() {
  const script = await readFile(join(packageRoot(), 'dist/page.js'), 'utf8');
  const [code, style] = [script, pageStyle].map(
    (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  const policy = [
    "default-src 'none'",
    `script-src ${code}`,
    `style-src ${style}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html: reviewHtml(script), policy };
}
