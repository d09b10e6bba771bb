// Opens the page of a session: what it shows, what it may do, and the links to it.
import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { readReport } from '../app/read-report.ts';
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
import type { Event, SessionEvent } from '../model/event.ts';
import { type FormQuestion, FormValues, type ReadValues, readForm } from '../model/form.ts';
import { steps } from '../model/steps.ts';
import { commentFates, readComments } from '../phases/planning/comments.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { digestOf } from '../store/digest.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { type Answers, type QuestionKind, type View, answersBy } from '../workflow/view-port.ts';
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

const Since = z.object({ after: z.number(), seen: z.string().optional() });
const Act = z.object({
  name: z.enum(Object.keys(pageActs)),
  about: z.string(),
  seen: z.string().optional(),
  values: FormValues.optional(),
});

/** How long a page waits for news before it asks again, in ms; it notices so that the server is gone. */
const longestWait = 25_000;

/** Starts to serve a page at this port, or at any free one for 0. Throws `usage` for a port that is in use. */
export async function openPage({
  port: wanted,
  environment,
}: {
  readonly port: number;
  readonly environment: NodeJS.ProcessEnv;
}): Promise<Page> {
  const changes = new EventEmitter().setMaxListeners(0);
  let subject = emptySubject;
  let shown: PageParts = emptyParts;
  let revision = 0;
  let last: Promise<unknown> = Promise.resolve();
  let questions = 0;
  let linkFolder: string | null = null;
  const told = Promise.withResolvers<void>();
  const server = await servePage({
    port: wanted,
    page: await pageOf(),
    routes: {
      '/api/page': reading(Since, since),
      '/api/act': reading(Act, (input) => inTurn(() => act(input))),
    },
  });

  function set(part: Partial<PageParts>): void {
    const next = { ...shown, ...part };
    if (isDeepStrictEqual(next, shown)) return;
    shown = next;
    revision += 1;
    changes.emit('made');
  }

  function put(question: Subject['question']): void {
    subject = { ...subject, question };
    set({ question: question && { id: question.id, form: question.form } });
  }

  /** Gives what is shown once it is newer than a revision; the document only to a page that has another one. */
  async function since({ after, seen }: z.infer<typeof Since>, given: AbortSignal) {
    const signal = AbortSignal.any([given, AbortSignal.timeout(longestWait)]);
    if (revision <= after) await once(changes, 'made', { signal }).catch(() => undefined);
    if (shown.end !== null) told.resolve();
    return { revision, parts: seen === shown.seen ? { ...shown, document: undefined } : shown };
  }

  /** Gives the form of an act, or carries it out with the values of one. */
  async function act({ name, about, seen, values }: z.infer<typeof Act>) {
    // What any other act does can be undone by another one.
    const isBound = values !== undefined && (name === 'edit' || name === 'answer');
    if (isBound) await look();
    const found = await pageActs[name]?.({ ...subject, shown }, about);
    if (found === undefined || !('form' in found)) return found;
    if (values === undefined) return { form: found.form };
    if (isBound && seen !== shown.seen)
      throw new Refused('It has changed meanwhile. Look at it again, then send this again.', 409);
    const read = readForm(found, values);
    if ('refusal' in read) throw new Refused(read.refusal);
    const reply = await read.answer;
    await look();
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
    const { folder } = subject.session;
    // A comment is on its page before the rest is read.
    set({ comments: commentFates(await readComments(folder), shown.document) });
    const { ids, ...parts } = await readShown(folder, subject, shown);
    subject = { ...subject, ids };
    set(parts);
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
      // The page itself shows what a plan or a result says.
      const isShown = form.kind === 'decide' || form.kind === 'approve' || form.kind === 'apply';
      const lines = isShown ? [] : form.lines;
      const take = async (values: ReadValues) => resolve(answer(values));
      return { form: { ...form, lines }, answer: take };
    };
    const offer = async () => {
      const { form } = await remake();
      questions += 1;
      if (!signal.aborted) put({ id: questions, form, make: remake });
      return await promise;
    };
    try {
      return await Promise.race([promise, offer()]);
    } finally {
      put(null);
    }
  }

  /** Makes a link that opens one page once, a private file that leads on to it, and the way from another machine. */
  async function newLink() {
    linkFolder ??= await mkdtemp(join(tmpdir(), 'conclave-page-'));
    const file = join(linkFolder, 'open.html');
    const url = `http://127.0.0.1:${server.port}/#key=${server.newToken()}`;
    await writeFile(file, `<meta http-equiv="refresh" content="0;url=${url}">\n`, { mode: 0o600 });
    return { url, file, tunnel: tunnelTo(server.port, environment) };
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
      let isApprovedNow = false;
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
      const context = () => ({
        session: subject.session?.folder.id ?? '',
        steers: traits.steers === true,
        isApprovedNow,
      });
      const onPage = answersBy(
        (kind) => (question, signal) => ask(() => formOf[kind](question, context()), signal),
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
        set({ news: `It was answered in the ${where}.` });
      };
      return {
        ...traits,
        ...firstOf(person === null ? [here] : [here, person], answered),
        newLink: announce,
        show(event) {
          const isFirst = seq === 0;
          number(event);
          if (event.type === 'plan.approved') isApprovedNow = !event.replayed;
          void tell(event);
          if (isFirst) void announce().then((link) => openBrowser(link, environment));
        },
      };
    },
    async close() {
      // A page that is between two looks still reads how it ended.
      if (shown.end !== null && server.isVisited()) await Promise.race([told.promise, sleep(500)]);
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
    if (!success) throw new Refused('This has not the expected form.');
    return await answer(data, signal);
  };
}

/** Reads the session; until there is a result, it shows the plan as a person decides about it. */
async function readShown(
  folder: SessionFolder,
  { desk, result }: Subject,
  { seen, document }: PageParts,
) {
  const [data, plan] = await Promise.all([
    describeSession(join(folder.path, '../../..'), folder.id).then(readReport),
    result === null ? desk?.read() : undefined,
  ]);
  const ofPlan = plan?.document ?? null;
  // State, approval and bill change while a person reads.
  const now = digestOf({ ...data, ofPlan, state: null, approval: null, bill: null, calls: null });
  const isNew = now !== seen;
  const told = isNew ? cleanDocument(withPlan(sessionDocument(data), ofPlan)) : document;
  return {
    ids: data.tasks.map(({ id }) => id),
    seen: now,
    document: told,
    state: sessionStateText(data.state),
    comments: commentFates(await readComments(folder), told),
  };
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
