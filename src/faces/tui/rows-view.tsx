import { Box, Text } from 'ink';
import { memo } from 'react';
import { useLooks } from './looks.ts';
import { type Row, cut } from './rows.ts';

/** Rows as they are on the screen, each cut to the width. */
export function Rows({ rows, width }: { readonly rows: readonly Row[]; readonly width: number }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {rows.map((line, index) => (
        <Line key={index} line={cut(line, width)} />
      ))}
    </Box>
  );
}

const Line = memo(function Line({ line }: { readonly line: Row }) {
  const looks = useLooks();
  return (
    <Text wrap="truncate">
      {line.length === 0
        ? ' '
        : line.map(({ text, tone }, index) => (
            <Text key={index} {...looks[tone]}>
              {text}
            </Text>
          ))}
    </Text>
  );
});
