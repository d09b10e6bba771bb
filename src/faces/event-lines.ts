// Writes every event as plain lines.
import type { Event, EventOf } from '../model/event.ts';
import {
  agreementText,
  counted,
  duration,
  proofCounts,
  proofTexts,
  listed,
} from '../model/wording.ts';
import { executionText, homeChangeText, statusText } from '../model/execution-summary.ts';
import type { Block } from '../model/document.ts';
import { critiqueBlocks } from '../phases/documents/critique-document.ts';
import { textLines } from './document-text.ts';
import { endFacts } from './end-document.ts';
import {
  fallText,
  forecastText,
  modelText,
  roundCounts,
  shorten,
  taskOfStep,
  tokensText,
  askText,
  tellPlace,
  priceText,
} from './short-forms.ts';
import { readingText } from '../model/reading-summary.ts';

/** A line about an event: its subject, indented for an agent or a task, and what happened. */
export type Line = readonly [label: string, text: string];

/** The most files of the context that are listed by name. */
const listedFiles = 5;

/** Writes an event as plain lines; empty for most events that only change a screen. */
export function linesOf(event: Event): readonly Line[] {
  switch (event.type) {
    case 'session.started':
      return [
        ['session', event.session],
        ['task', shorten(event.task, 200)],
        ...agentLines(event),
        ...(event.forecast === undefined ? [] : more([forecastText(event.forecast)])),
      ];
    case 'session.resumed': {
      const done = counted(event.finished_steps, 'step');
      return [
        ['session', `${event.session} resumed, ${done} already done`],
        ['task', shorten(event.task, 200)],
        ...agentLines(event),
        ...settingLines(event),
      ];
    }
    case 'context.fell': {
      return [['  search', `${fallText(event)} (${duration(event.ms)})`]];
    }
    case 'context.gathered':
      return contextLines(event);
    case 'round.started': {
      const { round, max_rounds: most, seats } = event;
      return [['discussion', `round ${round} of at most ${most}: ${seats.join(', ')}`]];
    }
    case 'agent.started':
      return [agentLine(event, askedText(event))];
    case 'agent.answered': {
      const took = `${duration(event.duration_ms)}${tokensText(event.tokens)}`;
      return [
        agentLine(event, `answered in ${took}${tellPlace(event)}: ${shorten(event.summary, 160)}`),
      ];
    }
    case 'agent.failed': {
      const took = `${duration(event.duration_ms)} (${event.category})`;
      return [agentLine(event, `failed after ${took}: ${shorten(event.reason, 300)}`)];
    }
    case 'agent.retried': {
      const why = shorten(event.reason, 200);
      return [agentLine(event, `tries again in ${duration(event.delay_ms)}: ${why}`)];
    }
    case 'login.needed':
      return [agentLine(event, `not logged in; its seat waits for: ${event.login}`)];
    case 'agent.replaced':
      return [[`  ${event.agent}`, replacementText(event)]];
    case 'tree.changed':
      return [[event.beside === undefined ? '  changed' : '  warning', treeChangeText(event)]];
    case 'round.finished': {
      const text = `score ${event.score.toFixed(2)}, ${agreementText(event)}, ${roundCounts(event)}`;
      return [[`round ${event.round}`, text], ...more(event.reasons, 240)];
    }
    case 'question.asked':
      return event.questions.map((question) => ['question', question]);
    case 'question.answered':
      return [['answer', answerText(event)]];
    case 'options.presented':
      return [
        ['options', event.uncertainty ?? optionsText(event)],
        ...(event.missing === null ? [] : [['answered', event.missing] as const]),
        ...(event.asked === null ? [] : [['asked', event.asked] as const]),
        ...event.replies.map((text): Line => ['reply', shorten(text, 400)]),
        ...event.questions.flatMap((text, at): readonly Line[] => [
          ['still open', text],
          ...more([event.assumed[at] ?? ''].filter(Boolean), 240),
        ]),
      ];
    case 'plan.judged':
      return labelLines(critiqueBlocks(event));
    case 'decision.made':
      return [['decision', `${event.decision} (${byWhom(event.by)})`]];
    case 'proof.written':
      return proofLines(event);
    case 'proof.skipped':
      return [['proof', `no proof: ${event.why}`]];
    case 'plan.written':
      return [['plan', planWrittenText(event)], ...more(event.titles, 110)];
    case 'plan.checked':
      return [['plan check', planCheckText(event)], ...more(event.findings)];
    case 'plan.revised': {
      const { version, changes } = event;
      const text = `${counted(changes.length, 'change')} from the version before`;
      return [[`version ${version}`, text], ...more(changes, 240)];
    }
    case 'plan.shown':
      return [['plan reading', planShownText(event)]];
    case 'plan.read':
      return [['plan reading', planReadText(event)], ...more(readingTexts(event))];
    case 'plan.edited':
      return [['edited', `${event.task ?? 'plan'} ${event.field}`]];
    case 'plan.approved':
      return [
        ['approved', `by ${byWhom(event.by)}, hash ${event.hash.slice(0, 12)}`],
        ...more(event.unread === undefined ? [] : [event.unread]),
      ];
    case 'plan.left':
      return [['plan', `not approved: ${event.why}`]];
    case 'execution.started':
      return startLines(event);
    case 'task.started':
      return [[`  ${event.task}`, `given to ${event.executor}`]];
    case 'check.ran':
      return checkLines(event);
    case 'task.finished':
      return [[`  ${event.task}`, taskEndText(event)]];
    case 'task.blocked':
      return [[`  ${event.task}`, `blocked: it needs ${event.by}`]];
    case 'merge.conflicted': {
      const end = event.resolved ? 'resolved by the agent' : 'not resolved';
      return [[`  ${event.task}`, `conflict in ${event.files.join(', ')}: ${end}`]];
    }
    case 'execution.finished': {
      const where = event.branch === null ? '' : `; the result is on branch ${event.branch}`;
      return [['execution', `${executionText(event)}${where}`]];
    }
    case 'review.finished':
      return [
        ['code review', reviewText(event)],
        ...more([...event.findings, ...(event.unmet ?? [])], 200),
      ];
    case 'page.opened':
      return pageLines(event);
    case 'page.answered':
      return [['page', `answered in the ${event.where}`]];
    case 'warning.raised':
      return [['warning', event.text]];
    case 'session.finished':
      return endLines(event);
    case 'agent.acted':
    case 'phase.entered':
    case 'answer.awaited':
    case 'input.refused':
    case 'usage.counted':
    case 'step.finished':
    case 'task.changed':
      return [];
  }
}

/** The link to the page of a session, which opens one page; without a terminal, the file that holds it. */
export function pageLines({ url, file, tunnel }: EventOf<'page.opened'>): readonly Line[] {
  const first = 'from the machine that you came from, first';
  return [
    ['in the browser', url.includes('#') ? url : `open ${file}, which leads to ${url}`],
    ...more(tunnel === null ? [] : [`${first}: ${tunnel}`]),
  ];
}

/** What the tests before the plan showed, one line each. */
function proofLines(event: EventOf<'proof.written'>): readonly Line[] {
  const { author, note, proofs, dropped } = event;
  const head =
    proofs.length === 0
      ? 'no test that shows anything'
      : `${proofCounts(proofs)}, written by ${author}`;
  return [
    ['proof', head],
    ...more(note === '' ? [] : [note], 300),
    ...more(proofTexts({ ...event, dropped_proofs: dropped }), 300),
  ];
}

/** A line about an agent, or about the task that it executes. */
export function agentLine(
  { agent, step }: { readonly agent: string; readonly step: string },
  text: string,
): Line {
  const task = taskOfStep(step);
  return task === null ? [`  ${agent}`, text] : [`  ${task}`, `${agent}: ${text}`];
}

/** Says which settings a resumed session uses if the files or flags differ from the record. */
function settingLines({ kept, changed }: EventOf<'session.resumed'>): readonly Line[] {
  const lines: readonly Line[] = [
    ['settings', `as at its start: ${kept.join(' ')}`],
    ['settings', `changed from the next round on: ${changed.join(' ')}`],
  ];
  return lines.filter((_, at) => [kept, changed][at]?.length !== 0);
}

/** The change of the score since the previous round, the agreements, and what became of the solutions. */
export function roundLines(
  event: EventOf<'round.finished'>,
  scoreBefore = event.score,
): readonly Line[] {
  const change = event.score - scoreBefore;
  const moved = `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(2)}`;
  const told = [
    ['score', change === 0 ? [] : [`${moved} since the round before`]],
    ['agreed', event.agreed],
    ['disagreed', event.disagreed],
    ['new', event.new_solutions],
    ['revised', event.revised_solutions],
    ['dropped', event.dropped_solutions],
  ] as const;
  return told.flatMap(([what, texts]) => more(texts.map((text) => `${what}: ${text}`)));
}

function reviewText(event: EventOf<'review.finished'>): string {
  const { reviewer, blocking, findings, unmet = [] } = event;
  const found = findings.length === 0 ? 'no problems found' : counted(findings.length, 'finding');
  const open =
    unmet.length === 0 ? '' : `, ${counted(unmet.length, 'criterion', 'criteria')} not met`;
  return `${found} by ${reviewer}${blocking === 0 ? '' : `, ${blocking} blocking`}${open}`;
}

function more(texts: readonly string[], most = Infinity): readonly Line[] {
  return texts.map((text) => ['', shorten(text, most)]);
}

function agentLines(event: EventOf<'session.started' | 'session.resumed'>): readonly Line[] {
  const { agent, model = null } = event;
  return agent === undefined ? [] : [['', `Agent: ${agent} (${modelText(model)})`]];
}

function askedText({ agent, seat, step, kind, model }: EventOf<'agent.started'>): string {
  const words = askText(step);
  const by = kind === 'model' ? ` (${modelText(model)})` : '';
  const asked = words === 'asked' ? `asked${by}` : words;
  return agent === seat ? asked : `${asked}, instead of ${seat}`;
}

function contextLines({ files, provider, reason }: EventOf<'context.gathered'>): readonly Line[] {
  if (files.length === 0) {
    const why = reason === null ? '' : ` (${reason})`;
    return [['context', `no file matches this task${why}`]];
  }
  const why = reason === null ? '' : `, degraded: ${reason}`;
  const left = files.length - listedFiles;
  return [
    ['context', `${counted(files.length, 'file')} by ${provider}${why}`],
    ...more([...files.slice(0, listedFiles), ...(left > 0 ? [`and ${left} more`] : [])]),
  ];
}

function answerText({ skipped, by, answered }: EventOf<'question.answered'>): string {
  if (answered > 0) return by === 'flags' ? 'given by --feedback' : 'given by the user';
  const why = by === 'nobody' ? 'no one to ask' : 'skipped';
  return skipped
    ? `${why}: continuing with the best options`
    : `${why}: the agents continue and state their assumptions`;
}

function optionsText({ options, agreements, disagreements }: EventOf<'options.presented'>): string {
  return [
    counted(options.length, 'solution'),
    counted(agreements, 'agreement'),
    counted(disagreements, 'disagreement'),
  ].join(', ');
}

function startLines({
  number,
  tasks,
  jobs,
  limits = [],
}: EventOf<'execution.started'>): readonly Line[] {
  const attempt = number === 1 ? '' : `, execution ${number}`;
  const each = tasks.map(({ id, title, executor }) => `${id} ${title} (${executor})`);
  return [
    ['execution', `${counted(tasks.length, 'task')}, ${jobs} at a time${attempt}`],
    ...more(each, 110),
    ...more(limits),
  ];
}

/** Shows a check; if it fails after the work, with its output. */
function checkLines(event: EventOf<'check.ran'>): readonly Line[] {
  const { task, when, note, output = '' } = event;
  const why = note === '' ? '' : `: ${note}`;
  const printed = when === 'before' || output === '' ? [] : output.split('\n');
  return [[`  ${task}`, shorten(`${checkText(event)}${why}`, 320)], ...more(printed, 160)];
}

/** Shows the end of a session. The command reports a failure on stderr, so it is not shown here. */
function endLines(event: EventOf<'session.finished'>): readonly Line[] {
  const { end, exit_code: code, message, summary } = event;
  return [
    ...(code === 0 ? [[end, message] as const] : []),
    ...(summary === null ? [] : [['summary', shorten(summary, 400)] as const]),
    ...labelLines([endFacts({ end: event, review: null })]),
  ];
}

/** Writes blocks as lines; the name of a fact is the subject of its line. */
function labelLines(blocks: readonly (Block | null)[]): readonly Line[] {
  return blocks.flatMap((block): readonly Line[] => {
    if (block?.kind === 'facts') return labelLines(block.blocks);
    const lines = textLines([block]);
    if (block?.kind !== 'fact') return more(lines);
    return lines.map((line) => [block.name.toLowerCase(), line.slice(block.name.length + 2)]);
  });
}

const byWhom = (by: string) => (by === 'auto' ? '--auto-yes' : by);

/**
 * The result of a check, e.g. `✓ npm test, after the work (3.1 s)`; the time is left out below five
 * seconds.
 */
function checkText({ when, check, passed, ms }: EventOf<'check.ran'>): string {
  const mark = passed === null ? '·' : passed ? '✓' : '✗';
  const took = passed === null ? ' (not run)' : ms < 5_000 ? '' : ` (${duration(ms)})`;
  return `${mark} ${check}, ${momentTexts[when]}${took}`;
}

const momentTexts: Readonly<Record<EventOf<'check.ran'>['when'], string>> = {
  before: 'before the work',
  after: 'after the work',
  all: 'with everything that was changed',
  again: 'on the start once more',
  joined: 'on the joined result',
};

/** Says which of the user’s files changed while an agent worked, and who changed them. */
function treeChangeText({ agent, files, beside }: EventOf<'tree.changed'>): string {
  if (beside !== undefined)
    return homeChangeText({ files: [...files], beside, proven: agent !== null });
  const unknown = 'an unknown program, while agents ran';
  return `${files.join(', ')}, by ${agent === null ? unknown : `${agent}, although it may only read`}`;
}

/** Says in one line how a task ended. */
function taskEndText(event: EventOf<'task.finished'>): string {
  const { why, commit, files, out_of_scope: outside, note = '' } = event;
  return [
    statusText(event),
    files.length === 0 ? '' : `, ${counted(files.length, 'file')} changed`,
    commit === null ? '' : `, commit ${commit.slice(0, 10)}`,
    why === '' ? '' : `: ${shorten(why, 240)}`,
    note === '' ? '' : `: ${shorten(note, 240)}`,
    outside.length === 0 ? '' : `; it also changed ${outside.join(', ')}`,
  ].join('');
}

/** The number of tasks of a plan, and its author. */
function planWrittenText({ tasks, source }: EventOf<'plan.written'>): string {
  const by = source === 'derived' ? 'rule-based, without a planning agent' : `by ${source}`;
  return `${counted(tasks, 'task')}, ${by}`;
}

function planCheckText({ findings, blocking, warnings }: EventOf<'plan.checked'>): string {
  if (findings.length === 0) return 'no problems';
  return `${blocking} blocking, ${counted(warnings, 'warning')}`;
}

function planShownText({ readers }: EventOf<'plan.shown'>): string {
  return `${listed(readers)} ${readers.length === 1 ? 'reads' : 'read'} the plan`;
}

/** The notes on a reading of a plan, and what became of each finding. */
function readingTexts({ findings, notes, unread }: EventOf<'plan.read'>): readonly string[] {
  const lines = findings.map((finding) => {
    const reply = finding.reply === '' ? '' : ` (${finding.fate}: ${shorten(finding.reply, 160)})`;
    const lack = finding.evidence_found === false ? '; its evidence was not found' : '';
    return `${finding.agent}, ${finding.severity}: ${shorten(finding.problem, 240)}${lack}${reply}`;
  });
  const others = notes.filter((note) => note !== unread);
  return [...others.map((note) => shorten(note, 300)), ...lines];
}

/** The readers of a plan with their cost, and what became of their findings. */
function planReadText({ readers, unread, findings }: EventOf<'plan.read'>): string {
  if (readers.length === 0) return `not read by others: ${unread}`;
  const who = readers.map(({ agent, tokens, cost_usd }) => {
    const used = priceText({ tokens: tokens ?? 0, cost_usd: cost_usd ?? 0 });
    return used === '' ? agent : `${agent} (${used})`;
  });
  return `${readingText(findings)} by ${listed(who)}`;
}

/** Says which agent replaces which; the failed agent has its own line with the reason. */
function replacementText({ seat, instead_of: before, reason }: EventOf<'agent.replaced'>): string {
  return seat === before ? `replaces ${before}` : `replaces ${before}: ${shorten(reason, 200)}`;
}
