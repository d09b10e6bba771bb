// Opens the face of a session: screens, plain lines or headless, with the ports of the terminal UI.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FirstScreen, Tui } from '../../faces/tui/open-screens.tsx';
import type { TuiPorts } from '../../faces/tui/ports.ts';
import type { Event } from '../../model/event.ts';
import { wrongUsage } from '../../model/failure.ts';
import { settingsTable } from '../../model/settings.ts';
import type { Page, PagedView } from '../../web/open-page.ts';
import { type Answers, answersOr, type View } from '../../workflow/view-port.ts';
import type { Workplace } from '../../app/workplace.ts';
import { asCalled, programName } from './called-as.ts';
import type { FaceOfRun } from './interruptions.ts';

/** The state of the command that the ports use; null until it is known. */
interface Known {
  workplace: Workplace | null;
  session: Parameters<Face['opened']>[0] | null;
  /** Shows the page besides the terminal; null without a page. */
  paged: PagedView | null;
}

/** Shows a session, and knows who is asked. */
export interface Face extends FaceOfRun {
  /** Null if only the flags can answer. */
  readonly person: Pick<Tui, 'view' | 'chosen' | 'close'> | null;
  /** Set if a program answers on standard input. */
  readonly input?: Answers;
  /** Called when the settings are known, and again if others were chosen on the first screen. */
  worksAt(workplace: Workplace): void;
}

/** The choice of a face on the command line. */
export interface FaceFlags {
  /** The values as commander gives them. */
  readonly values: object;
  /** The first screen. */
  readonly opens: FirstScreen;
  /** The words that start this program, if they differ from how it was called. */
  readonly program?: string;
}

/** The flags with which no person is asked. */
const unattended = ['autoYes', 'json', 'dryRun', 'approve', 'reject', 'comment', 'set'];

/**
 * Runs a session command behind the face that its flags ask for: screens, plain lines for a screen reader or a
 * terminal without cursor control, or neither. A person’s face is open before flags and settings are checked;
 * their faults are printed after the terminal is restored.
 */
export async function behindFace(
  { values, opens, program = programName(process.env) }: FaceFlags,
  command: (face: Face) => Promise<number>,
): Promise<number> {
  const page =
    'web' in values ? await (await import('./page-face.ts')).openPageOf(values, process.env) : null;
  if (page === null && 'port' in values) throw wrongUsage('--port is the port of --web.');
  try {
    return await behind({ values, opens, program, page }, command);
  } finally {
    await page?.close();
  }
}

async function behind(
  { values, opens, program, page }: Required<FaceFlags> & { readonly page: Page | null },
  command: (face: Face) => Promise<number>,
): Promise<number> {
  const isThere = process.stdin.isTTY && process.stdout.isTTY;
  if (!isThere || unattended.some((name) => name in values)) {
    // Starting a program takes longer the more memory is in use, and V8 would spend 20 MB more on what is soon
    // garbage. Screens produce so much garbage that they need the memory.
    (await import('node:v8')).setFlagsFromString('--semi-space-growth-factor=1');
    if ('stdinEvents' in values) return await withInput(values, program, command);
    return await command(await faceOfFlags('json' in values, program, page));
  }
  const first = Promise.withResolvers<Workplace>();
  const known: Known = { workplace: null, session: null, paged: null };
  const ports = terminalPorts(program, known, async () => known.workplace ?? (await first.promise));
  const terminal = await openTerminal({ ports, opens });
  if (page !== null) known.paged = page.beside(terminal.view, terminal.view);
  const face = faceOfPerson(
    { ...terminal, view: known.paged ?? terminal.view },
    {
      program,
      worksAt(workplace) {
        known.workplace = workplace;
        first.resolve(workplace);
      },
      opened(session) {
        known.session = session;
        void page?.isAbout({ session });
      },
      closePage: async () => await page?.close(),
    },
  );
  try {
    return await Promise.race([command(face), terminal.failed]);
  } finally {
    await terminal.close();
  }
}

async function openTerminal(opening: {
  readonly ports: TuiPorts;
  readonly opens: FirstScreen;
}): Promise<Tui> {
  if (wantsLines(process.env)) {
    const { openLines } = await import('./plain-lines.ts');
    return openLines(opening);
  }
  const { openTui } = await import('../../faces/tui/open-screens.tsx');
  return openTui({ ...opening, environment: process.env });
}

/** True if a screen reader or a simple terminal needs plain lines; the first variable is the one that Ink reads. */
function wantsLines(environment: NodeJS.ProcessEnv): boolean {
  const { INK_SCREEN_READER: ink, CONCLAVE_SCREEN_READER: own, TERM: terminal } = environment;
  return ink === 'true' || own === '1' || own === 'true' || terminal === 'dumb';
}

function faceOfPerson(
  terminal: Tui,
  told: Pick<Face, 'worksAt' | 'opened' | 'program'> & { readonly closePage: () => Promise<void> },
): Face {
  const { view } = terminal;
  return {
    ...told,
    person: terminal,
    view: (answers) => ({
      ...view,
      ...answers,
      show: (event) => view.show(withProgram(event, told.program)),
    }),
    async ended(deserted) {
      await told.closePage();
      await Promise.race([terminal.showEnd(), deserted]);
      await terminal.close();
    },
  };
}

async function faceOfFlags(isJson: boolean, program: string, page: Page | null): Promise<Face> {
  const { headlessView, jsonView } = await import('../../faces/headless.ts');
  const view = isJson ? jsonView : headlessView;
  const face: Face = {
    person: null,
    program,
    view: (answers) => shownWith(view(process.stdout, answers), program),
    worksAt: () => undefined,
    opened: () => undefined,
    ended: () => Promise.resolve(),
  };
  if (page === null) return face;
  const { show } = view(
    process.stdout,
    answersOr(() => Promise.reject(new Error('nobody asks here')), {}),
  );
  const paged = page.beside({ show, takesConsent: true }, null);
  return {
    ...face,
    input: paged,
    view: (answers) => shownWith({ ...paged, ...answers }, program),
    opened: (session) => void page.isAbout({ session }),
    ended: async () => await page.close(),
  };
}

/** Runs a command whose events a program reads and whose questions it answers on standard input. */
async function withInput(
  values: object,
  program: string,
  command: (face: Face) => Promise<number>,
): Promise<number> {
  if (!('json' in values)) {
    throw wrongUsage('--stdin-events needs --json: the questions are events.');
  }
  const { openProgramLines } = await import('./program-lines.ts');
  let session: Known['session'] = null;
  const { show, answers: input, close } = openProgramLines((key) => session?.skips?.skip(key));
  try {
    return await command({
      person: null,
      input,
      program,
      view: (answers) => shownWith({ ...answers, show, takesConsent: true }, program),
      worksAt: () => undefined,
      opened: (opened) => void (session = opened),
      ended: () => Promise.resolve(),
    });
  } finally {
    close();
  }
}

function shownWith(view: View, program: string): View {
  return { ...view, show: (event) => view.show(withProgram(event, program)) };
}

/** The end of a session, with its commands written as they can be typed. */
function withProgram(event: Event, program: string): Event {
  if (event.type !== 'session.finished' || program === 'conclave') return event;
  const next = event.next === null ? null : asCalled(event.next, program);
  return { ...event, message: asCalled(event.message, program), next, program };
}

const loaded = () => import('./terminal-ports.ts');

/** The ports of a chat, which runs no session. */
export function chatTerminal(workplace: Workplace): TuiPorts {
  const known = { workplace, session: null, paged: null };
  return terminalPorts(programName(process.env), known, async () => workplace);
}

/**
 * The ports of the terminal UI. They are made before its first frame, so what they need is loaded only when it
 * is first used.
 */
function terminalPorts(
  program: string,
  known: Known,
  workplace: () => Promise<Workplace>,
): TuiPorts {
  const root = async () => (await workplace()).root;
  return {
    program,
    newLink: () => void known.paged?.newLink(),
    interrupt() {
      if (!process.emit('SIGINT')) process.kill(process.pid, 'SIGINT');
    },
    skip: (key) => known.session?.skips?.skip(key),
    askAgain: (key) => known.session?.logins?.done(key),
    // Suspends the whole job, as the terminal does, so that the program that started this one stops, too.
    suspend: () => process.kill(0, 'SIGTSTP'),
    fileUrl(path) {
      const { workplace: at } = known;
      return at === null ? null : pathToFileURL(resolve(at.root, path)).href;
    },
    notifies: async () => (await workplace()).settings.read(settingsTable.workflow.notify),
    forecast: async () => (await import('../../app/saved-session.ts')).usualUse(await root()),
    earlierTasks: async () => (await loaded()).earlierTasks(await workplace()),
    files: async () => (await loaded()).repositoryFiles(await root()),
    agents: async (show) => (await loaded()).probeAgents(await workplace(), show),
    logIn: async (name) => (await loaded()).logAgentIn(await workplace(), name),
    sessions: async () => (await loaded()).listEntries(await workplace()),
    removeSession: async (id) =>
      (await import('../../app/saved-session.ts')).removeSaved({ ...(await workplace()), id }),
    codeAround: async (place) =>
      (await loaded()).codeAround(known.session?.repository ?? null, place),
    openFile: async (place) =>
      (await loaded()).openFile({ ...place, root: await root() }, process.env),
    editText: async (file) => (await loaded()).editText(file, process.env),
  };
}
