// Opens the page of a session: what it shows, what it may do, and the links to it.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readReport } from '../app/read-report.ts';
import { describeSession } from '../app/saved-session.ts';
import { linesOf } from '../faces/event-lines.ts';
import type { AskForm } from '../faces/question-forms.ts';
import { sessionDocument } from '../faces/session-document.ts';
import { sessionStateText } from '../faces/session-words.ts';
import { cleanDocument, reviewHtml } from '../faces/web/page-html.tsx';
import { pageStyle } from '../faces/web/page-style.ts';
import type { Document } from '../model/document.ts';
import type { Event } from '../model/event.ts';
import { FormValues, readForm } from '../model/form.ts';
import { steps } from '../model/steps.ts';
import { commentFates, readComments, taskOf } from '../phases/planning/comments.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { digestOf } from '../store/digest.ts';
import { openBrowser, tunnelTo } from './open-browser.ts';
import { pageAccess } from './page-access.ts';
import { pageActs, type Subject } from './page-acts.ts';
import { refuse, type Reply, servePage } from './page-server.ts';
import { pageState } from './page-state.ts';

/** A link that opens one page once, the private file that leads on to it, and the way from another machine. */
interface PageLink {
  readonly url: string;
  readonly file: string;
  readonly tunnel: string | null;
}

export interface Page {
  /** Says what the page is about, as soon as it is known. */
  isAbout(part: Partial<Subject>): Promise<void>;
  /** Opens a browser where there is one. */
  openBrowser(link: PageLink): void;
  newLink(): Promise<PageLink>;
  show(event: Event): Promise<void>;
  readonly ask: AskForm;
  /** Asks again whenever what the question is about has changed. */
  whileCurrent<Answer>(
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer>;
  /** Says where the last question was answered. */
  answered(where: 'browser' | 'terminal'): void;
  close(): Promise<void>;
}

/** A question that waits on the page. */
interface Waiting {
  readonly id: number;
  /** Takes an answer; returns why it cannot be taken, else null. */
  readonly take: (values: FormValues) => string | null;
}

const Since = z.object({ after: z.coerce.number() });
const Written = z.object({
  anchor: z.string(),
  quote: z.string(),
  text: z.string(),
  id: z.string().optional(),
});
const Answer = z.object({ question: z.int(), seen: z.string(), values: FormValues });
const Asked = z.object({ name: z.enum(Object.keys(pageActs)), about: z.string() });
const Acted = Asked.extend({ seen: z.string(), values: FormValues });

const changedText = 'It has changed since you looked at it. Look at it again, then answer.';

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
  let subject: Subject = { session: null, desk: null, result: null, round: null };
  let document: Document | null = null;
  let ids: readonly string[] = [];
  let waiting: Waiting | null = null;
  let questions = 0;
  let asked = Promise.withResolvers<void>();
  asked.resolve();
  let seen = '';
  let change = new AbortController();
  let linkFolder: string | null = null;
  const server = await servePage({
    access,
    port: wanted,
    page: await pageOf(),
    routes: {
      'GET /api/page': reading(Since, async ({ after }, signal) => ({
        status: 200,
        body: await state.since(after, signal),
      })),
      'GET /api/act': reading(Asked, async ({ name, about }) => {
        const found = (await pageActs[name]?.(subject, about)) ?? null;
        return done(found !== null && 'form' in found ? { form: found.form } : found);
      }),
      'POST /api/act': reading(Acted, act),
      'POST /api/comment': reading(Written, keep),
      'POST /api/answer': reading(Answer, takeAnswer),
    },
  });

  async function act({ name, about, seen: then, values }: z.infer<typeof Acted>): Promise<Reply> {
    await refresh();
    // Everything else that an act does to the plan can be undone by another one.
    if (name === 'edit' && then !== seen)
      return refuse(
        409,
        'The plan has changed meanwhile. Send this again to take it all the same.',
      );
    const found = (await pageActs[name]?.(subject, about)) ?? null;
    if (found === null || !('form' in found)) return done(found);
    const read = readForm(found, values);
    if ('refusal' in read) return refuse(422, read.refusal);
    const reply = done(await read.answer());
    await refresh();
    return reply;
  }

  /** Saves a comment at once, on the result while that is asked about, else on the plan. */
  async function keep({ anchor, ...written }: z.infer<typeof Written>): Promise<Reply> {
    const { desk, result } = subject;
    if (desk === null && result === null)
      return refuse(409, 'Nothing is asked that a comment could answer.');
    const line = anchor === '' ? {} : { anchor, quote: written.quote };
    const { text, id } = written;
    const task = taskOf(anchor, ids);
    const comment = { ...line, text, task, ...(id !== undefined && { id }) };
    await (result?.comment?.(comment) ?? desk?.comment(comment));
    await refreshComments();
    again();
    return done(null);
  }

  async function takeAnswer(given: z.infer<typeof Answer>): Promise<Reply> {
    await refresh();
    await asked.promise;
    if (waiting?.id !== given.question) return refuse(409, 'This question is not open any more.');
    if (seen !== given.seen) return refuse(409, changedText);
    const refusal = waiting.take(given.values);
    return refusal === null ? done(null) : refuse(422, refusal);
  }

  /** Reads what there is to show; a question about what has changed is withdrawn, and asked anew. */
  async function refresh(): Promise<void> {
    if (subject.session === null) return;
    const now = await readShown(subject.session.folder, subject);
    if (now.shown !== seen) {
      ({ document, ids, shown: seen } = now);
      again();
    }
    state.set({ document, seen, state: now.state });
    await refreshComments();
  }

  async function refreshComments(): Promise<void> {
    const { session } = subject;
    if (session === null) return;
    state.set({ comments: commentFates(await readComments(session.folder), document) });
  }

  /** Has the question asked anew that waits, if one does; an answer waits for that. */
  function again(): void {
    const stale = change;
    change = new AbortController();
    if (waiting === null) return;
    waiting = null;
    asked = Promise.withResolvers();
    stale.abort();
  }

  return {
    async isAbout(part) {
      subject = { ...subject, ...part };
      await refresh();
    },
    async newLink() {
      const base = `http://127.0.0.1:${server.port}/`;
      linkFolder ??= await mkdtemp(join(tmpdir(), 'conclave-page-'));
      const file = join(linkFolder, 'open.html');
      const url = `${base}#key=${access.newToken()}`;
      await writeFile(file, `<meta http-equiv="refresh" content="0;url=${url}">\n`, {
        mode: 0o600,
      });
      return { url, file, tunnel: tunnelTo(server.port, environment) };
    },
    openBrowser: (link) => openBrowser(link, environment),
    async show(event) {
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
    },
    ask: (question, { signal }) =>
      new Promise((resolve, reject) => {
        const take = (values: FormValues) => {
          const given = readForm(question, values);
          if ('refusal' in given) return given.refusal;
          resolve(given.answer);
          return null;
        };
        waiting = { id: questions, take };
        state.set({ question: { id: questions, form: question.form } });
        asked.resolve();
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    async whileCurrent(signal, ask) {
      questions += 1;
      try {
        for (;;) {
          const stale = change.signal;
          try {
            return await ask(AbortSignal.any([signal, stale]));
          } catch (error) {
            if (signal.aborted || !stale.aborted) throw error;
          }
        }
      } finally {
        waiting = null;
        asked.resolve();
        state.set({ question: null });
      }
    },
    answered: (where) => state.set({ news: `It was answered in the ${where}.` }),
    async close() {
      await server.close();
      if (linkFolder !== null) await rm(linkFolder, { recursive: true, force: true });
    },
  };
}

/** A route that refuses what has another shape. */
function reading<Shape extends z.ZodType>(
  shape: Shape,
  answer: (input: z.infer<Shape>, signal: AbortSignal) => Promise<Reply>,
): (input: unknown, signal: AbortSignal) => Promise<Reply> {
  return async (input, signal) => {
    const { success, data } = shape.safeParse(input);
    return success ? await answer(data, signal) : refuse(422, 'This has not the expected form.');
  };
}

/** The reply to something that was done, or could not be. */
function done(what: object | null): Reply {
  return { status: what !== null && 'why' in what ? 422 : 200, body: what ?? {} };
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
  return { shown: digestOf(shown), document, ids, state: sessionStateText(state) };
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
