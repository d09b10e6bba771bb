// Lists the settings of conversations.
import { type ShapeParts, setting } from './setting.ts';

const seconds = ({ z }: ShapeParts) => z.number().positive().max(86_400);

/** Settings of conversations. Times in ms. */
export interface ConversationSettings {
  readonly workMs: number;
  readonly consultMs: number;
  /** Of earlier turns, in the request to an agent that does not know them. */
  readonly handOffTokens: number;
  /** The agent or model that shortens long answers and older turns; null for none. */
  readonly summarizer: string | null;
  readonly summarize: SummarizeWhen;
  /** In days, the time after its last turn that a conversation is kept; null for ever. */
  readonly keepDays: number | null;
}

const summarizeWhens = ['over-10000', 'always', 'never'] as const;
export type SummarizeWhen = (typeof summarizeWhens)[number];

/** The part of the table of settings that says how `work` and `consult` run. */
export const conversationSettings = {
  workTimeout: setting('conversation.work_timeout', {
    about: 'seconds that one turn of "conclave work" may take (up to 24 hours)',
    shape: seconds,
    default: 1800,
    untrusted: 'at-most',
  }),
  consultTimeout: setting('conversation.consult_timeout', {
    about: 'seconds that one turn of "conclave consult" may take',
    shape: seconds,
    default: 300,
    untrusted: 'at-most',
  }),
  handOffTokens: setting('conversation.hand_off_tokens', {
    about:
      'about how many tokens of earlier turns another agent is told in full; of older ones it is told the gist',
    shape: ({ z }) => z.int().min(100).max(1_000_000),
    default: 8000,
    untrusted: 'at-most',
  }),
  summarizer: setting('conversation.summarizer', {
    about:
      'who shortens long answers, and older turns for another agent: an agent or a model; without one they are cut',
    shape: ({ modelName }) => modelName,
    example: 'haiku',
  }),
  summarize: setting('conversation.summarize', {
    about: 'which answers are shortened: those of more than 10,000 characters, all, or none',
    shape: ({ z }) => z.enum(summarizeWhens),
    default: 'over-10000',
  }),
  keepDays: setting('conversation.keep_days', {
    about:
      'after how many days without a turn a conversation is removed with its files; without it, never',
    shape: ({ z }) => z.int().min(1).max(36_500),
    example: 90,
  }),
};
