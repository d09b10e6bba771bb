// Tells what models said of a topic: their positions, what they agree on, and what they do not.
import { readRounds } from '../app/saved-session.ts';
import { missingText, opinionsOn, opinionText } from '../phases/opinions.ts';
import type { SessionFolder } from '../store/session-folder.ts';

/** The latest round as Markdown; it begins with who did not answer, and who replaced whom. */
export async function discussionText(folder: SessionFolder): Promise<string> {
  const synthesis = (await readRounds(folder)).at(-1);
  if (synthesis === undefined) return '';
  const { agreements, disagreements, resolution } = synthesis.cross_verification;
  const positions = synthesis.solutions.map((solution) =>
    [
      `### ${solution.name} (${solution.source_cli.join(', ')})`,
      solution.summary,
      ...opinionsOn(solution, synthesis).map((opinion) => `- ${opinionText(opinion)}`),
    ].join('\n'),
  );
  const parts = [
    ['Positions', positions],
    ['Agreements', agreements.map((text) => `- ${text}`)],
    ['Disagreements', disagreements.map((text) => `- ${text}`)],
    ['Summary', [resolution, ...synthesis.convergence.reasons].filter((text) => text !== '')],
  ] as const;
  const missing = missingText(synthesis, 'the user');
  const sections = parts
    .map(([title, texts]) =>
      [`## ${title}`, ...(texts.length === 0 ? ['None.'] : texts)].join('\n'),
    )
    .join('\n\n');
  return missing === null ? sections : `${missing}.\n\n${sections}`;
}
