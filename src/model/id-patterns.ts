// Says which texts are ids that are also file names, for what checks them without zod.

/** A session id: also the name of its folder, so it can never leave `.workflow/.multi-cli-plan/`. */
export const sessionIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** An agent's name: also a folder name under `rounds/N/agents/`. */
export const agentNamePattern = /^[a-z0-9][a-z0-9_-]{0,31}$/;
