// Defines the arguments that tools share, and loads jobs at the first call of a tool that needs them.
import { z } from 'zod';

/** The seconds that a tool waits for its job. */
export const WaitSeconds = z
  .number()
  .min(0)
  .max(170)
  .default(45)
  .describe('Seconds to wait for the result; what is not finished then goes on as a job.');

/** The folder of the project. */
export const ProjectFolder = z.string().describe('The folder of the project, as an absolute path.');

/** Its description is made anew for each list of tools. */
export const AgentName = z.string().describe('An agent, or one of its models.');

export const loadJobs = () => import('./job-tools.ts');
