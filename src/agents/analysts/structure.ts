import { needlesOf } from '../../context/needles.ts';
import type { Repository } from '../../git/repository.ts';
import { testMap } from '../../context/tests-of.ts';
import type { AgentEvent } from '../../model/event.ts';
import type { Agent } from '../agent.ts';
import { analyst, type Analysis, type AnalystWork } from './analyst.ts';
import { beside } from './beside.ts';
import { fresh, freshQuestions } from './fresh.ts';
import { importersOf } from './importers.ts';
import { inPlace } from './in-place.ts';
import { renamingIn } from './renaming.ts';
import type { Survey } from './survey.ts';
import { likelyTargets, readTargets } from './targets.ts';
import { testFilesOf } from './test-piece.ts';

/** Proposes by definitions, imports, siblings and tests around the code that was found. */
export function structureAnalyst(repository: Repository): Agent {
  return analyst('structure', (about, signal) => analyse({ repository, about, signal }));
}

async function* analyse({
  repository,
  about,
  signal,
}: AnalystWork): AsyncGenerator<AgentEvent, Analysis, undefined> {
  const all = await repository.files();
  const needles = needlesOf(about.context.keywords);
  const renaming = await renamingIn(about, { repository, signal });
  const files =
    renaming === null
      ? likelyTargets(about.context.relevant_files, { needles, all })
      : [...renaming.homes, ...renaming.into, ...renaming.users];
  const source = {
    repository,
    known: new Set(all),
    needles: renaming === null ? needles : needlesOf([renaming.old.name]),
  };
  const targets = yield* readTargets(files, source);
  const [first] = targets;
  if (first === undefined) {
    const solution = await fresh({ repository, all, needles, about });
    return { solutions: [solution], questions: freshQuestions(all, about.task) };
  }
  const paths = targets.map(({ path }) => path);
  const importers = await importersOf(paths, { repository, signal });
  const map = testMap(all);
  const survey: Survey = {
    repository,
    about,
    all,
    needles,
    first,
    targets,
    importers,
    map,
    tests: renaming === null ? testFilesOf(paths, map) : { existing: renaming.tests, created: [] },
    renaming,
  };
  const solutions = [await inPlace(survey), await beside(survey)];
  return { solutions: solutions.filter((solution) => solution !== null), questions: [] };
}
