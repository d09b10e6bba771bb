// Draws what all screens share: header with phases and clock, keys, help, Ctrl-C.
import { Box, useWindowSize } from 'ink';
import { phases } from '../../model/phase.ts';
import { pageLines } from '../event-lines.ts';
import { timeText } from '../short-forms.ts';
import type { Clocks } from './screen-state.ts';
import type { KeyName } from './keyboard.ts';
import {
  type Binding,
  reachableBindings,
  helpRows,
  key,
  keyLine,
  minorKey,
  useBindings,
  useUnheldKeys,
} from './key-bindings.ts';
import { type Popup, PopupView } from './popup.tsx';
import { amountTexts, type Progress } from './progress/progress.ts';
import { cutTo, emptyRow, row, span, type Row, widthOf, wrapText } from './screen-rows.ts';
import { marks } from './theme.ts';
import { Rows, useTools, useTui } from './tools.tsx';

interface FrameProps {
  readonly bindings: readonly Binding[];
  readonly rows: readonly Row[];
  /** A popup in place of the rows; below it, why the typed input was refused. */
  readonly popup?: Popup | null;
  readonly refused?: string | null;
  /** True while no input is accepted. */
  readonly busy?: boolean;
  /** True while a field takes typed text: only keys that are not letters are bound. */
  readonly typing?: boolean;
  /** True if `?` opens the help; in a field, only while it is empty. */
  readonly helps?: boolean;
  /** The text that `y` copies: the chosen thing, or the path or command that is shown. */
  readonly copies?: string | null;
}

const headerHeight = 3;
const footerHeight = 2;

/** The room between header and keys at the terminal’s present size. */
export function useBodySize(): { readonly width: number; readonly height: number } {
  const { columns: width, rows } = useWindowSize();
  return { width, height: Math.max(1, rows - headerHeight - footerHeight) };
}

/** True while keys go to the screen, not to an overlay. */
export function useIsActive(): boolean {
  return useTui((state) => state.overlay === null);
}

/** The frame of all screens: the header above, the keys below, help and Ctrl-C over them. */
export function Frame(props: FrameProps) {
  const { bindings, rows, popup = null, refused = null, busy = false, copies = null } = props;
  const typing = props.typing === true || popup?.writes !== undefined;
  const { helps = !typing } = props;
  const { width, height } = useBodySize();
  const overlay = useTui((state) => state.overlay);
  const notice = useTui((state) => state.notice);
  const page = useTui((state) => state.progress.page);
  const unheld = useUnheldKeys(bindings);
  const all = [
    ...unheld.filter(({ keys }) => !typing || keys.every(isNoLetter)),
    ...useGlobalKeys({ helps, copies: typing ? null : copies }),
  ];
  const shown = reachableBindings(all);
  const stop = useStopKeys();
  const active = overlay === null;
  useBindings(active ? all : stop);
  const question = overlay === 'stop' ? [span('Stop now? Your progress is saved. ', 'warn')] : [];
  return (
    <Box flexDirection="column" width={width} height={headerHeight + height + footerHeight}>
      <Header width={width} />
      <Box flexDirection="column" height={height} overflowY="hidden">
        {overlay === 'help' || overlay === 'page' || popup === null ? (
          <Rows
            rows={
              overlay === 'help'
                ? [...helpRows(shown, { width, height }), ...legend]
                : overlay === 'page'
                  ? pageRows(page, width)
                  : rows
            }
            width={width}
            {...(active && { top: headerHeight })}
          />
        ) : (
          <PopupView
            {...{ popup, width, height, refused }}
            active={active && !busy}
            top={headerHeight}
          />
        )}
      </Box>
      <Rows
        rows={[
          notice ?? sizeNotice(width, height) ?? pageRow(page),
          [...question, ...keyLine(active ? shown : stop, width)],
        ]}
        width={width}
      />
    </Box>
  );
}

/** Says that a small terminal shows less than there is. */
function sizeNotice(width: number, height: number): Row {
  const rows = height + headerHeight + footerHeight;
  const isSmall = width < 60 || rows < 16;
  return isSmall ? row(span(`${width} × ${rows} is small: parts are cut`, 'warn')) : emptyRow;
}

/** What the marks stand for, below the keys of the help. */
const legend: readonly Row[] = [
  emptyRow,
  row(
    span(
      `${marks.done} done  ${marks.now} at work  ${marks.later} to come  ${marks.failed} failed  ${marks.warning} look at it`,
      'quiet',
    ),
  ),
  row(
    span(
      `code: ${marks.done} found  ${marks.moved} on another line  ${marks.planned} to be made  ${marks.failed} not found`,
      'quiet',
    ),
  ),
];

function Header({ width }: { readonly width: number }) {
  const progress = useTui((state) => state.progress);
  const clocks = useTui((state) => state.clocks);
  return <Rows rows={headerRows({ progress, clocks, width })} width={width} />;
}

function useGlobalKeys({
  helps,
  copies,
}: Required<Pick<FrameProps, 'helps' | 'copies'>>): readonly Binding[] {
  const tools = useTools();
  const { store, ports } = tools;
  const hasPage = useTui((state) => state.progress.page !== null);
  const open = (overlay: 'help' | 'stop' | 'page') => () =>
    store.change((state) => ({ ...state, overlay }));
  const showLink = () => {
    ports.newLink();
    open('page')();
  };
  return [
    ...(copies === null ? [] : [key(['y'], 'copy it', () => tools.copy(copies), minorKey)]),
    ...(hasPage && helps ? [key(['w'], 'new link for a browser', showLink, minorKey)] : []),
    ...(helps ? [key(['?'], 'all keys', open('help'))] : []),
    key(['ctrl+z'], 'suspend', () => tools.ports.suspend(), minorKey),
    key(['ctrl+c'], 'stop', open('stop'), minorKey),
  ];
}

/** Makes the keys for the open help, or for the question that Ctrl-C asks. */
function useStopKeys(): readonly Binding[] {
  const { store, ports } = useTools();
  const overlay = useTui((state) => state.overlay);
  const close = () => store.change((state) => ({ ...state, overlay: null }));
  const stop = () => {
    close();
    ports.interrupt();
  };
  return overlay === 'stop'
    ? [key(['enter', 'ctrl+c', 'y'], 'stop', stop), key(['esc', 'n'], 'continue', close)]
    : [
        key(
          ['esc', '?', 'enter', 'q', 'ctrl+c'],
          overlay === 'page' ? 'back' : 'closes this help',
          close,
        ),
      ];
}

/** The link to the page on one line, or that it took the last answer. */
function pageRow(page: Progress['page']): Row {
  if (page === null) return emptyRow;
  if (page.type === 'page.opened') return row(span(`In the browser: ${page.url}`, 'quiet'));
  const where = page.where === 'browser' ? 'The last question was answered in the browser.' : '';
  return row(span(where, 'good'));
}

/** A new link to the page, and how to reach it from another machine. */
function pageRows(page: Progress['page'], width: number): readonly Row[] {
  if (page?.type !== 'page.opened') return [];
  return pageLines(page).flatMap((line) => [
    emptyRow,
    ...wrapText(line.join('  ').trim(), { width, indent: 2 }),
  ]);
}

function isNoLetter(name: KeyName): boolean {
  return name.length > 1 && name !== 'space';
}

/** Three lines: what is planned, the progress, and a rule with the bill. */
export function headerRows({
  progress,
  clocks,
  width,
}: {
  readonly progress: Progress;
  readonly clocks: Clocks;
  readonly width: number;
}): readonly Row[] {
  const { task } = progress;
  const title = row(span('conclave', 'strong'), span(task === '' ? '' : `  ${task}`));
  const bill = billText(progress, clocks, width - 4);
  const rule = bill === '' ? '' : ` ${bill} ──`;
  return [
    row(...cutTo(title, width)),
    phaseRow(progress, width),
    row(span(rule.padStart(width, '─'), 'quiet')),
  ];
}

/** Shows as much of the bill as fits: the number of runs is left out first. */
function billText(progress: Progress, clocks: Clocks, room: number): string {
  const time = timeText({ since_start_ms: clocks.sinceStart, waiting_ms: clocks.waiting });
  const amounts = amountTexts(progress);
  const forms = [
    [...amounts, time],
    [...amounts.slice(1), time],
    [...amounts.slice(-1), time],
    amounts.slice(-1),
  ].map((parts) => parts.filter(Boolean).join(' · '));
  return forms.find((form) => form.length <= room) ?? '';
}

function phaseRow({ phase, end, execution }: Progress, width: number): Row {
  // A phase that most sessions skip is shown while it lasts.
  const shown = phases.filter(({ name }) => name !== 'proof' || phase === 'proof');
  const at = shown.findIndex(({ name }) => name === phase);
  const compact = width < 100;
  // An approved plan is handed over to execution, which may not have started.
  const isOver = end?.approved === true && end.end === 'done';
  const cells = shown.flatMap(({ label }, index): Row => {
    const isDone = index < at || (index === at && isOver && execution !== null);
    const isNow = index === at && !isOver;
    const mark = isDone ? marks.done : isNow ? marks.now : marks.later;
    const tone = isDone ? 'good' : isNow ? 'accent' : 'quiet';
    const gap = index === 0 ? '' : compact ? ' ' : '  ';
    return [{ text: gap, tone: 'plain' }, span(`${mark}${compact ? '' : ' '}${label}`, tone)];
  });
  // A narrow row begins right before the present phase, which is always seen.
  return widthOf(cells) <= width || at < 1 ? cells : cells.slice(at * 2 - 1);
}
