// Draws with ASCII on a terminal whose locale names a charset other than UTF-8.

/** True if the first of the variables that is set names another charset; without any, it is UTF-8. */
export function wantsAscii({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return /^(?:C|POSIX)$|\.(?!utf-?8\b)/i.test(locale);
}

/** Replaces our own signs in all terminal output by ASCII characters of the same width. */
export function drawInAscii(terminal: NodeJS.WriteStream): void {
  if (!terminal.isTTY) return;
  terminal.write = new Proxy(terminal.write.bind(terminal), {
    apply(write, _, [text, ...rest]: readonly unknown[]): unknown {
      const drawn = typeof text === 'string' ? inAscii(text) : text;
      return Reflect.apply(write, terminal, [drawn, ...rest]);
    },
  });
}

const signs: ReadonlyMap<string, string> = new Map(
  '-─—–−·  |│  +┌┬├┼└┴┐┘┤╭╮╰╯  #█  .░…  *●•★  o○⊘  >▶▸→⇒›»  <←‹«  v✓✔↓  x✗×  /✎  ^↑  !⚠  iℹ  \'’‘  "“”„'
    .split('  ')
    .flatMap(([plain = '', ...drawn]) => drawn.map((sign) => [sign, plain] as const)),
);
const anySign = new RegExp(`[${[...signs.keys()].join('')}]`, 'g');

function inAscii(text: string): string {
  return text.replaceAll(anySign, (sign) => signs.get(sign) ?? sign);
}
