/** What could steer a terminal, or hide or turn what a person reads; at least sixty texts. */
export const hostileTexts: readonly string[] = [
  ...strings(),
  ...controls(),
  ...escapes(),
  ...characters(),
];

/** One text with some of them in it, others for each number. */
export function hostile(number: number, length = 6): string {
  return Array.from({ length }, (_, index) => {
    const at = (number * length + index) % hostileTexts.length;
    return `a${hostileTexts[at] ?? ''}b`;
  }).join(' ');
}

/** OSC, DCS, APC, SOS and PM, in seven and eight bits, with every end and with none. */
function strings(): string[] {
  const bodies = [
    [']', '\u009d', '0;owned'],
    [']', '\u009d', '8;;https://example.invalid'],
    [']', '\u009d', '52;c;b3duZWQ='],
    [']', '\u009d', '1337;File=name=eA==:eA=='],
    ['P', '\u0090', '$q"p'],
    ['_', '\u009f', 'Gf=100;owned'],
    ['X', '\u0098', 'owned'],
    ['^', '\u009e', 'owned'],
  ] as const;
  const ends = ['\u0007', '\u001b\\', '\u009c', ''];
  return bodies.flatMap(([seven, eight, body], index) => [
    `\u001b${seven}${body}${ends[index % 4] ?? ''}`,
    `${eight}${body}${ends[(index + 1) % 4] ?? ''}`,
    `\u001b${seven}${body}${ends[(index + 2) % 4] ?? ''}`,
  ]);
}

function controls(): string[] {
  const ends = ['6n', '?1049l', '?1049h', '2J', '3J', '2;3H', '?25h', '?1000h', '31m', '8m', '20t'];
  const more = ['c', '5n', '!p', '?2004l', '4;5r', '999A', '1 q'];
  return [...ends, ...more].map((end, index) => `${index % 3 === 0 ? '\u009b' : '\u001b['}${end}`);
}

function escapes(): string[] {
  return ['c', '7', '8', '=', '(0', '#8', 'M', 'D', '[', '[?', '', ']'].map(
    (end) => `\u001b${end}`,
  );
}

function characters(): string[] {
  const steering = '\u0000 \u0007 \b\b\b \u000b \u000c \u000e \u007f \u0085 \u008d'.split(' ');
  const turning = '\u202e \u202a \u2066 \u2069 \u200f'.split(' ');
  const hiding = '\u200b \u200d \u2060 \ufeff \u00ad \u{e0041} \u3164 \ufe0f'.split(' ');
  const odd = ['\t\t', '\r', '\r\n', '\u2028', '\u2029', '\ud800', '\udfff'];
  return [...steering, ...turning, ...hiding, ...odd, '日本語の名前', 'e\u0301\u0302\u0303'];
}

/** What the terminal UI writes by itself, without colours: moves, erasing, looks, modes, titles, links. */
const ownSequences =
  // oxlint-disable-next-line no-control-regex
  /\u001b\[(?:\d*[ABCDEGK]|H|J|1;1H|(?:0|1|2|7|22|27)m|\?(?:25|1049|2004|2026)[hl]|2[23];2t)|\u001b\]2;\u0007|\u001b\]8;;(?:file:[!-~]*)?\u0007|\u0007?\u001b\][29];conclave: [^\p{Cc}\p{Cf}]*\u0007/gu;

/** What is in the output of a program that no program writes by itself; each once. */
export function strange(bytes: string, own: RegExp | null = ownSequences): readonly string[] {
  const left = own === null ? bytes : bytes.replaceAll(own, '');
  const found = left.match(
    /[^\P{Cc}\r\n].{0,12}|[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u3164\u{e0000}-\u{e007f}]|\p{Cs}/gu,
  );
  return [...new Set(found ?? [])];
}
