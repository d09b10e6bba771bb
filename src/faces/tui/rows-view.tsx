import { Box, Text } from 'ink';
import { createContext, memo, useContext } from 'react';
import { cutTo, type Row } from './rows.ts';
import { themeFor, type Look, type Tone } from './theme.ts';

const Looks = createContext<Readonly<Record<Tone, Look>>>(themeFor({}));

export const LooksProvider = Looks.Provider;

function useLooks(): Readonly<Record<Tone, Look>> {
  return useContext(Looks);
}

/** Rows as they are on the screen, each cut to the width. */
export function Rows({ rows, width }: { readonly rows: readonly Row[]; readonly width: number }) {
  const looks = useLooks();
  return (
    <Box flexDirection="column" flexShrink={0}>
      {rows.map((line, index) => (
        <Line key={index} text={painted(cutTo(line, width), looks)} />
      ))}
    </Box>
  );
}

// One text for each row, and none is drawn again that stays as it is: most rows do, most frames.
const Line = memo(function Line({ text }: { readonly text: string }) {
  return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
});

function painted(line: Row, looks: Readonly<Record<Tone, Look>>): string {
  return line.map(({ text, tone }) => looks[tone].begin + text + looks[tone].end).join('');
}
