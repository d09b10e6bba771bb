import exactWidth from 'string-width';

/**
 * Columns that a text takes in a terminal; the same as `string-width` gives. Nearly all text on
 * our screens is plain letters, lines and marks of one column each, and is measured many times for
 * each frame: it need not be taken apart. The build gives it to Ink as well.
 */
export default function stringWidth(
  text: string,
  options?: Parameters<typeof exactWidth>[1],
): number {
  if (options !== undefined) return exactWidth(text, options);
  const shown = text.includes('\u001b') ? text.replaceAll(styles, '') : text;
  return simple.test(shown) ? shown.length : exactWidth(text);
}

// oxlint-disable-next-line no-control-regex
const styles = /\u001b\[[\d;]*m/gu;
// ASCII, lines and blocks, and the marks of the theme.
const simple = /^[ -~─-▟…•·→✓✗●○▸›−≠]*$/u;
