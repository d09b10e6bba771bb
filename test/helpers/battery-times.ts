// Prints how long each battery of a run took, from the start of its first file to the end of its last.
import type { Reporter } from 'vitest/node';

/** A reporter of vitest; batteries that run side by side overlap. */
export function batteryTimes(): Reporter {
  const starts = new Map<string, number>();
  const ends = new Map<string, number>();
  return {
    onTestModuleStart({ project }) {
      if (!starts.has(project.name)) starts.set(project.name, performance.now());
    },
    onTestModuleEnd({ project }) {
      ends.set(project.name, performance.now());
    },
    onTestRunEnd() {
      console.log('');
      for (const [name, end] of ends) {
        const seconds = (end - (starts.get(name) ?? end)) / 1_000;
        console.log(` ${name} took ${Math.round(seconds)} s`);
      }
    },
  };
}
