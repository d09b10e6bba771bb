// Prints the tests that passed only on a second try, and fails a run that has too many of them.
import type { Reporter, TestModule } from 'vitest/node';

/** A reporter of vitest. `most` is how many retried tests a run may have and still pass. */
export function retriedReporter({ most }: { readonly most: number }): Reporter {
  return {
    onTestRunEnd(modules) {
      const titles = modules.flatMap(retriedTitles);
      if (titles.length === 0) return;
      console.log(`\n Passed only on a second try (at most ${most} may):`);
      for (const title of titles) console.log(`   ${title}`);
      if (titles.length > most) process.exitCode = 1;
    },
  };
}

function retriedTitles(module: TestModule): readonly string[] {
  const place = [module.project.name, module.relativeModuleId].filter((part) => part !== '');
  return [...module.children.allTests('passed')]
    .filter((test) => test.diagnostic()?.flaky === true)
    .map((test) => [...place, test.fullName].join(' > '));
}
