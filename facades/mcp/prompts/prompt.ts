import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { InputRequest } from '../agent/confirmation-form.ts';
import type { FilteredTool } from '../agent/tool-filter.ts';
import type { McpMessage } from '../protocol/message.ts';

interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
  /** The tool equivalent to `complete`. A connection that does not expose it receives no completions. */
  like?: FilteredTool;
  complete?(ctx: Ctx, text: string): Promise<string[]>;
}

interface PromptMessage {
  role: 'user' | 'assistant';
  content: object;
}

export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** Returns the messages for the agent, or an elicitation to ask the user first. `args` contains the user's input. */
  messages(
    args: Record<string, string>,
    params: McpMessage['params'],
  ): readonly PromptMessage[] | { input: Partial<InputRequest> };
}

export const buildUserMessage = (text: string): PromptMessage[] => [
  { role: 'user', content: { type: 'text', text } },
];
