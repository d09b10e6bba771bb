// Compares what a terminal shows with golden screens.
import { expect } from 'vitest';

const [small, large] = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
];

/** The terminals in which a journey is made; in the short form, the one with less room. */
export const sizes = process.env['CONCLAVE_TERMINAL'] === 'short' ? [small] : [small, large];

/** A screen as a golden file: what differs from run to run is masked, its width kept. */
export async function expectScreen(screen: string, name: string): Promise<void> {
  const file = new URL(`../golden/screens/${name}.txt`, import.meta.url).pathname;
  await expect(`${masked(screen)}\n`).toMatchFileSnapshot(file);
}

/** The same for a page that a larger terminal only gives more room: at 80 × 24 alone. */
export async function expectSmallScreen(
  screen: string,
  page: string,
  { columns }: { readonly columns: number },
): Promise<void> {
  if (columns === 80) await expectScreen(screen, `${page}-80x24`);
}

/** Session ids, durations, ages and hashes differ from run to run, tokens with each prompt. */
function masked(screen: string): string {
  return (
    screen
      // The bill in the rule of the header.
      .replaceAll(/^─* [^─\n]+ ──$/gm, (rule) => '─'.repeat(rule.length))
      .replaceAll(/ \(you [\d:]+\)$/gm, '')
      .replaceAll(/MCP-[a-z0-9-]+-\d{4}-\d\d-\d\d-[a-z0-9]{4}/g, (id) => 'MCP-id'.padEnd(id.length))
      .replaceAll(/\b\d{4}-\d\d-\d\d-[a-z0-9]{4}\b/g, (id) => 'id'.padEnd(id.length))
      .replaceAll(/ *\b\d+(?:\.\d)? (?:s|min|h|d)\b(?: \d+ s)?/g, (time) =>
        't'.padStart(time.length),
      )
      .replaceAll(/\(\d+\.\d ?(?=…)/g, (cut) => '(t'.padEnd(cut.length))
      .replaceAll(/git show [0-9a-f]{7,}/g, 'git show #')
      .replaceAll(/\b\d+ \+ \d+ tokens/g, '# tokens')
      .replaceAll(/\b\d+k tokens/g, (used) => used.replaceAll(/\d/g, '#'))
      .replaceAll(/[\d.]+k? in [\d.]+k? out/g, (used) => '# in # out'.padStart(used.length))
      .replaceAll(/\b[0-9a-f]{12,64}\b/g, (hash) => '#'.repeat(hash.length))
      .replaceAll(/\bv?\d+\.\d+\.\d+\b/g, (version) => 'v'.padEnd(version.length))
      // A check that is quick shows no time.
      .replaceAll(/ \( *t\)/g, (time) => ' '.repeat(time.length))
      .split('\n')
      .map((line) => line.replace(/ +t$/, ' t').trimEnd())
      .join('\n')
  );
}
