// Opens the page of a session: what it shows, what it may do, and the links to it.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { describeSession } from '../app/saved-session.ts';
import { readReport } from '../app/read-report.ts';
import { linesOf } from '../faces/event-lines.ts';
import type { AskForm } from '../faces/question-forms.ts';
import { sessionStateText } from '../faces/session-words.ts';
import { cleanDocument, reviewHtml } from '../faces/web/page-html.tsx';
import { pageStyle } from '../faces/web/page-style.ts';
import type { Event } from '../model/event.ts';
import { FormValues, readForm, skipForm } from '../model/form.ts';
import { sessionDocument } from '../faces/session-document.ts';
import type { Document } from '../model/document.ts';
import type { PlanDesk } from '../workflow/view-port.ts';
import { commentFate, readComments, taskOf } from '../phases/planning/comments.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { digestOf } from '../store/digest.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { openBrowser, tunnelTo } from './open-browser.ts';
import { pageAccess } from './page-access.ts';
import { refuse, type Reply, servePage } from './page-server.ts';
import { pageState } from './page-state.ts';

export interface Page {
  /** Says which session it shows, as soon as one is open. */
  opened(session: SessionFolder): Promise<void>;
  /** Says which plan is reviewed. */
  reviews(desk: PlanDesk): Promise<void>;
  /** Opens a browser where there is one. */
  openBrowser(url: string): Promise<void>;
  /** Makes a link that opens one page, with the command that reaches it from another machine; null on this one. */
  newLink(): { readonly url: string; readonly tunnel: string | null };
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
  readonly take: (values: FormValues | null) => string | null;
}

const Written = z.object({ anchor: z.string(), quote: z.string(), text: z.string() });

const Answer = z.object({ question: z.int(), seen: z.string(), values: FormValues.nullable() });

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
  let session: SessionFolder | null = null;
  let desk: PlanDesk | null = null;
  let waiting: Waiting | null = null;
  let asked = 0;
  let seen = '';
  let change = new AbortController();
  let forget: (() => Promise<void>) | null = null;
  const server = await servePage({
    access,
    port: wanted,
    page: await pageOf(),
    routes: {
      'GET /api/page': async (input, signal) => {
        const { after } = z.object({ after: z.coerce.number() }).parse(input);
        return { status: 200, body: await state.since(after, signal) };
      },
      'POST /api/comment': async (input) => {
        const { success, data } = Written.safeParse(input);
        return success ? await keep(data) : refuse(422, 'This is no comment.');
      },
      'POST /api/answer': async (input) => {
        const { success, data } = Answer.safeParse(input);
        return success ? await take(data) : refuse(422, 'This is no answer to a form.');
      },
    },
  });

  /** Saves a comment at once: on the result if its line is there, else on the plan. */
  async function keep(written: z.infer<typeof Written>): Promise<Reply> {
    if (session === null || desk === null)
      return refuse(409, 'Nothing is asked that a comment could answer.');
    const { plan } = await desk.read();
    const comment = { ...written, task: taskOf(written.anchor, plan?.task_ids ?? []) };
    await desk.comment(comment);
    await refresh();
    return { status: 200, body: {} };
  }

  async function take(given: z.infer<typeof Answer>): Promise<Reply> {
    await refresh();
    if (waiting?.id !== given.question) return refuse(409, 'This question is not open any more.');
    if (seen !== given.seen) {
      return refuse(409, 'It has changed since you looked at it. Look at it again, then answer.');
    }
    const refusal = waiting.take(given.values);
    return refusal === null ? { status: 200, body: {} } : refuse(422, refusal);
  }

  /** Reads what there is to show; a question about what has changed is withdrawn, and asked anew. */
  async function refresh(): Promise<void> {
    if (session === null) return;
    const { shown, ...parts } = await readShown(session, desk);
    state.set({ ...parts, seen: shown });
    if (shown === seen) return;
    seen = shown;
    change.abort();
    change = new AbortController();
  }

  return {
    async opened(opened) {
      session = opened;
      await refresh();
    },
    async reviews(reviewed) {
      desk = reviewed;
      await refresh();
    },
    newLink() {
      const url = `http://127.0.0.1:${server.port}/#key=${access.newToken()}`;
      return { url, tunnel: tunnelTo(server.port, environment) };
    },
    async openBrowser(url) {
      forget = await openBrowser(url, environment);
    },
    async show(event) {
      if (event.replayed) return;
      const [line] = linesOf(event);
      if (line !== undefined) state.set({ news: line[1] });
      if (event.type === 'session.finished') state.set({ question: null, end: event.message });
      if (!event.type.startsWith('agent.')) await refresh();
    },
    ask: (question, { signal }) =>
      new Promise((resolve, reject) => {
        asked += 1;
        const read = (values: FormValues | null) => {
          const reading = values === null ? skipForm(question) : readForm(question, values);
          if ('refusal' in reading) return reading.refusal;
          resolve(reading.answer);
          return null;
        };
        waiting = { id: asked, take: read };
        state.set({ question: { id: asked, form: question.form } });
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    async whileCurrent(signal, ask) {
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
        state.set({ question: null });
      }
    },
    answered: (where) => state.set({ news: `It was answered in the ${where}.` }),
    async close() {
      await server.close();
      await forget?.();
    },
  };
}

async function readShown(folder: SessionFolder, desk: PlanDesk | null) {
  const root = join(folder.path, '../../..');
  const data = await readReport(await describeSession(root, folder.id));
  // What was used so far changes while a person reads.
  const { state } = data;
  const shown = { ...data, state: null, bill: null, calls: null };
  const plan = (await desk?.read())?.document ?? null;
  const document = cleanDocument(withPlan(sessionDocument(data), plan));
  const saved = await readComments(folder);
  const comments = saved.map((one) => ({ ...one, state: commentFate(one, document) }));
  return { shown: digestOf(shown), document, comments, state: sessionStateText(state) };
}

/** The session with its plan as a person decides about it, if one is reviewed now. */
function withPlan({ title, blocks }: Document, plan: Document | null): Document {
  if (plan === null) return { title, blocks };
  const rest = blocks.filter(
    (block) => block.kind === 'section' && !isOfResult(block) && !isOfPlan.test(block.anchor),
  );
  return { title, blocks: [...blocks.filter(isOfResult), ...plan.blocks, ...rest] };
}

const isOfResult = ({ anchor }: Document['blocks'][number]) =>
  /^(?:result|review|diff)$/.test(anchor);

/** The sections of a session that its plan contains, too. */
const isOfPlan = /^(?:plan|reading|readers|tasks|remarks)$/;

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
