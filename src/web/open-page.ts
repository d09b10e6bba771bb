// Opens the page of a session: what it shows, what it may do, and the links to it.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import {
  type PageFacts,
  blocksHtml,
  formHtml,
  newsAfter,
  noFacts,
  pageParts,
} from '../faces/web/page-parts.tsx';
import type { Block, Document } from '../model/document.ts';
import type { Event } from '../model/event.ts';
import { type FormQuestion, FormValues, type ReadValues, readForm } from '../model/form.ts';
import { steps } from '../model/steps.ts';
import { commentFates, readComments } from '../phases/planning/comments.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { digestOf } from '../store/digest.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import {
  type Answers,
  type PlanOnDesk,
  type QuestionKind,
  type View,
  answersBy,
  withOwnEvents,
} from '../workflow/view-port.ts';
import { openBrowser, tunnelTo } from './open-browser.ts';
import { type ActReply, emptySubject, pageActs, type Subject } from './page-acts.ts';
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
  let shown = noFacts;
  let elements: ReadonlySet<string> = new Set();
  let rest = noSession;
  /** The plan as it was last read. */
  let plan: PlanOnDesk | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let questions = 0;
  const server = await servePage({
    port: wanted,
    page: await pageOf(),
    whole: () => [...elements].join(''),
    act: (input) => inTurn(() => act(input)),
  });
  const linkFolder = await mkdtemp(join(tmpdir(), 'conclave-page-'));

  function set(part: Partial<PageFacts>): void {
    shown = { ...shown, ...part };
    const now = pageParts(shown);
    const news = newsAfter(elements, now);
    elements = now;
    if (news !== '') server.tell(news);
  }

  /** Gives the form of an act, or carries it out with the values of one. */
  async function act(input: unknown): Promise<unknown> {
    const { success, data } = Act.safeParse(input);
    if (!success) throw new Refused('This has not the expected form.');
    const { name, about, seen, values } = data;
    // What any other act does can be undone by another one.
    const isBound = values !== undefined && (name === 'edit' || name === 'answer');
    if (isBound) await lookAtPlan();
    const isStale = isBound && seen !== shown.seen;
    const found = await pageActs[name]?.({ ...subject, shown, plan }, about);
    if (found === undefined || !('form' in found)) return await leave(found, name);
    if (values === undefined) return { title: found.form.asks, html: formHtml(found.form) };
    if (isStale)
      throw new Refused('It has changed meanwhile. Look at it again, then send this again.', 409);
    const read = readForm(found, values);
    if ('refusal' in read) throw new Refused(read.refusal);
    return await leave(await read.answer, name);
  }

  /** Shows what an act has changed, and returns what it gives to read. */
  async function leave(reply: ActReply, name: string): Promise<object | undefined> {
    if (reply !== undefined && 'blocks' in reply)
      return { title: reply.title, html: blocksHtml(reply.blocks) };
    if (reply !== undefined) await showPlan(reply);
    // A comment changes nothing else.
    else if (name === 'comment') await showComments();
    else await look();
    return undefined;
  }

  /** Does one thing after the other, so that nothing older is shown later, and no act is looked at halfway. */
  function inTurn<Done>(work: () => Promise<Done>): Promise<Done> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  const refresh = () => inTurn(look);

  /** Reads the plan on a desk, until there is a result. */
  async function readPlan(): Promise<PlanOnDesk | null> {
    const { desk, result } = subject;
    return result === null && desk !== null ? await desk.read() : null;
  }

  /** Reads everything that there is to show. */
  async function look(): Promise<void> {
    if (subject.session === null) return;
    const now = await readPlan();
    rest = await lookAt(subject.session.folder, now?.document ?? null);
    await showPlan(now);
  }

  /** Reads the plan, besides which an edit changes nothing; without one, everything. */
  async function lookAtPlan(): Promise<void> {
    const now = await readPlan();
    if (now?.document && plan?.document) await showPlan(now);
    else await look();
  }

  /** Shows the plan as a person decides about it, before the rest of the session. */
  async function showPlan(now: PlanOnDesk | null): Promise<void> {
    plan = now;
    const told = cleanDocument(plan?.document ?? null);
    const { digest, document: others, state } = rest;
    const sections = others.blocks.filter(({ kind }) => told === null || kind === 'section');
    const parts = [...(told?.blocks ?? []), ...sections];
    const document = { ...others, blocks: parts.map((part) => sameIn(shown.document, part)) };
    set({ seen: digestOf([digest, told]), document, state });
    await showComments();
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
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const remake = async () => {
      const { form, answer } = await make();
      // The page itself shows what options, a plan or a result say.
      const lines = form.kind === 'choose' ? form.lines : [];
      const take = async (values: ReadValues) => {
        resolve(answer(values));
        return undefined;
      };
      return { form: { ...form, lines }, answer: take };
    };
    const { asks } = (await remake()).form;
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    questions += 1;
    subject = { ...subject, question: { id: questions, make: remake } };
    set({ question: { id: questions, asks } });
    try {
      return await promise;
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
    if (event.type === 'plan.edited') await inTurn(lookAtPlan);
    else if (!/^(?:agent|page|usage|step|warning)\./.test(event.type)) await refresh();
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

/** A session as it was read, apart from a plan that is on a desk. */
interface SessionLook {
  readonly document: Document;
  readonly digest: string;
  readonly state: string;
}

const noSession: SessionLook = { document: { title: '', blocks: [] }, digest: '', state: '' };

/** Reads the session. Of a plan on a desk it tells nothing, as that is told as a person decides about it. */
async function lookAt(folder: SessionFolder, plan: Document | null): Promise<SessionLook> {
  const data = await readReport(await describeSession(join(folder.path, '../../..'), folder.id));
  const told = plan === null ? data : { ...data, plan: null, contextPackage: null };
  const { tasks } = plan === null ? data : { tasks: null };
  // What may change while a person reads does not make an answer stale.
  const bound = { ...told, tasks, state: null, approval: null, bill: null, calls: null };
  const document = cleanDocument(sessionDocument(told));
  return { document, digest: digestOf(bound), state: sessionStateText(data.state) };
}

/** Finds a block in an earlier document that says the same, so that it is not sent and drawn again; else the new one. */
function sameIn(document: Document | null, block: Block): Block {
  const before = document?.blocks.find(({ anchor }) => anchor === block.anchor);
  return before !== undefined && isDeepStrictEqual(before, block) ? before : block;
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');

/** The page with the policy by which its browser runs only this script, and asks only this server. */
async function pageOf() {
  const script = await readFile(join(packageRoot(), 'dist/page.js'), 'utf8');
  const policy = `default-src 'none'; script-src 'sha256-${hashOf(script)}'; style-src 'sha256-${hashOf(pageStyle)}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { html: reviewHtml(script), policy };
}
