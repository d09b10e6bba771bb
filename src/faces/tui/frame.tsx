import { Box, useWindowSize } from 'ink';
import type { ReactNode } from 'react';
import { useTools, useTui } from './context.ts';
import { headerRows } from './header.ts';
import { type Binding, heard, useBindings } from './keys.ts';
import { helpRows, keyLine } from './key-rows.ts';
import { Rows } from './rows-view.tsx';
import { type Row, emptyRow, row, span } from './rows.ts';

/** The room that a screen has, and whether keys are for it. */
export interface Body {
  readonly width: number;
  readonly height: number;
  readonly active: boolean;
}

interface FrameProps {
  readonly bindings: readonly Binding[];
  /** A field takes what is typed: only keys that are no letters are bound. */
  readonly typing?: boolean;
  /** Whether `?` opens the help: in a field, only while that is empty. */
  readonly helps?: boolean;
  readonly children: (body: Body) => ReactNode;
}

const headerHeight = 3;
const footerHeight = 2;

/** The room between header and keys, as the terminal is now. */
export function useBodySize(): Pick<Body, 'width' | 'height'> {
  const { columns: width, rows } = useWindowSize();
  return { width, height: Math.max(1, rows - headerHeight - footerHeight) };
}

/** What all screens have in common: the header above, the keys below, help and Ctrl-C over them. */
export function Frame({ bindings, typing = false, helps = !typing, children }: FrameProps) {
  const { width, height } = useBodySize();
  const overlay = useTui((state) => state.overlay);
  const notice = useTui((state) => state.notice);
  const all = [
    ...bindings.filter(({ keys }) => !typing || keys.every(isNoLetter)),
    ...useGlobalKeys(helps),
  ];
  const shown = heard(all);
  const stop = useStopKeys();
  useBindings(overlay === null ? all : stop);
  const active = overlay === null;
  return (
    <Box flexDirection="column" width={width} height={headerHeight + height + footerHeight}>
      <Header width={width} />
      <Box flexDirection="column" height={height} overflowY="hidden">
        {overlay === 'help' ? (
          <Rows rows={helpRows(shown, { width, height })} width={width} />
        ) : (
          children({ width, height, active })
        )}
      </Box>
      <Rows
        rows={[notice ?? emptyRow, overlay === null ? keyLine(shown, width) : overlayLine(overlay)]}
        width={width}
      />
    </Box>
  );
}

function Header({ width }: { readonly width: number }) {
  const progress = useTui((state) => state.progress);
  const now = useTui((state) => state.now);
  return <Rows rows={headerRows({ progress, now, width })} width={width} />;
}

function useGlobalKeys(helps: boolean): readonly Binding[] {
  const { store } = useTools();
  const open = (overlay: 'help' | 'stop') => () => store.change((state) => ({ ...state, overlay }));
  const help: Binding = { keys: ['?'], does: 'all keys', run: open('help') };
  return [
    ...(helps ? [help] : []),
    { keys: ['ctrl+c'], does: 'stop', minor: true, run: open('stop') },
  ];
}

/** While help or the question of Ctrl-C is open, every other key closes it. */
function useStopKeys(): readonly Binding[] {
  const { store, ports } = useTools();
  const overlay = useTui((state) => state.overlay);
  const close = () => store.change((state) => ({ ...state, overlay: null }));
  const stop = () => {
    close();
    ports.interrupt();
  };
  if (overlay === 'stop') {
    return [
      { keys: ['ctrl+c', 'enter', 'y'], does: 'stop', run: stop },
      { keys: ['esc', 'n'], does: 'go on', run: close },
    ];
  }
  return [{ keys: ['esc', '?', 'enter', 'q', 'ctrl+c'], does: 'close', run: close }];
}

function overlayLine(overlay: 'help' | 'stop'): Row {
  return overlay === 'help'
    ? row(span('esc', 'key'), span(' closes this help', 'quiet'))
    : row(
        span('Stop now? What is done is saved. ', 'warn'),
        span('enter', 'key'),
        span(' stop · ', 'quiet'),
        span('esc', 'key'),
        span(' go on', 'quiet'),
      );
}

function isNoLetter(key: string): boolean {
  return key.length > 1 && key !== 'space';
}
