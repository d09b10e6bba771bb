// Names the ids that are also file names and the format of sessions, for what loads without zod.
/** A session id: also the name of its folder, so it can never leave `.workflow/.multi-cli-plan/`. */
export const sessionIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** An agent's name: also a folder name under `rounds/N/agents/`. */
export const agentNamePattern = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** The format of journal records and session state that this version writes. */
export const formatVersion = 5;

/** The name used for the author of an examined plan, where agents are named. */
export const planAuthor = 'plan-author';
