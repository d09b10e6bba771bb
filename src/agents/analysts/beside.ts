import { kindOf } from '../../context/file-kinds.ts';
import { shortName } from '../../git/paths.ts';
import { siblingsOf } from '../../context/siblings.ts';
import type { ProposedSolution } from '../../model/proposal.ts';
import { counted } from '../../model/wording.ts';
import { claimsOn, patternClaim } from './evidence.ts';
import { feasibilityOf } from './in-place.ts';
import { changesWhatIsThere } from './leading-verb.ts';
import { newFileBeside } from './new-file.ts';
import { atLeastMedium, effortFor, riskFor } from './rating.ts';
import { orderedTasks, type Piece } from './pieces.ts';
import { concernsOf, honestCon, type Survey } from './survey.ts';
import { testPiece } from './test-piece.ts';

/** A file that is long gains most from a module of its own for what is new. In lines. */
const longFile = 300;

/**
 * Put what is new into a module of its own, or null where nothing speaks for it: the task adds
 * nothing, or no siblings show how such a module looks and the file is short.
 */
export async function beside(survey: Survey): Promise<ProposedSolution | null> {
  const { first, all, needles, about } = survey;
  if (changesWhatIsThere(about.task)) return null;
  const { siblings } = siblingsOf(first.path, all);
  const lines = first.content.split('\n').length;
  const isUseful = siblings.length >= 2 || lines > longFile;
  if (!isUseful || kindOf(first.path) !== 'source') return null;
  const pattern = siblings[0] ?? first.path;
  const patternContent = await survey.repository.read(pattern);
  const created = newFileBeside(first.path, survey);
  const pieces = piecesFor(survey, { created, pattern });
  const { tasks, flow } = orderedTasks(pieces);
  const importers = survey.importers.filter(({ target }) => target === first.path);
  const own = claimsOn({ targets: [first], needles, importers });
  const shape =
    patternContent === null || pattern === first.path ? [] : patternClaim(pattern, patternContent);
  return {
    name: `Add ${shortName(created)} beside ${shortName(first.path)}`.slice(0, 200),
    summary: `Put what is new into ${created}, shaped like ${pattern}, and call it from ${first.path}. Found by structure; no model has judged it.`,
    feasibility: Math.round((feasibilityOf(survey, siblings.length > 0) - 0.08) * 100) / 100,
    effort: effortFor(tasks.flatMap((task) => task.files)),
    // Nobody has seen that the other places which the search found can stay as they are.
    risk: atLeastMedium(
      riskFor({ importers: survey.importers.length, tests: survey.tests.existing.length }),
    ),
    implementation_plan: {
      approach: `Write ${created} after the pattern of ${pattern}, then call it from ${first.path}:${first.line}, then test both.`,
      tasks,
      execution_flow: flow,
      milestones: [`${shortName(created)} works by itself`, `${shortName(first.path)} uses it`],
    },
    dependencies: { internal: [first.path], external: [] },
    technical_concerns: concernsOf({ ...survey, importers }),
    pros: [
      `${first.path} changes little, so what imports it can stay as it is.`,
      ...(siblings.length > 0
        ? [`${counted(siblings.length, 'file')} of the same kind to take as a pattern.`]
        : []),
    ],
    cons: [honestCon, 'One more file; its name is a guess from the words of the task.'],
    claims: [...own, ...shape],
  };
}

function piecesFor(
  survey: Survey,
  { created, pattern }: { readonly created: string; readonly pattern: string },
): readonly Piece[] {
  const { first, map } = survey;
  const write: Piece = {
    name: `Write ${shortName(created)}`,
    files: [{ file: created, action: 'create' }],
    keyPoint: `It has the shape of ${pattern}.`,
    after: [],
  };
  const use: Piece = {
    name: `Use ${shortName(created)} in ${shortName(first.path)}`,
    files: [{ file: first.path, line: first.line, action: 'modify' }],
    keyPoint:
      first.matched[0] === undefined
        ? null
        : `${shortName(created)} is used at ${first.matched[0].name}.`,
    after: [write],
  };
  const fresh = map.newFor(created);
  const plan = {
    existing: survey.tests.existing.slice(0, 2),
    created: fresh === null ? [] : [fresh],
  };
  const tests = testPiece(plan, [write, use]);
  return tests === null ? [write, use] : [write, use, tests];
}
