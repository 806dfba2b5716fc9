import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { InputRequest } from '../agent/confirmation-form.ts';
import type { FilteredTool } from '../agent/tool-filter.ts';
import type { McpMessage } from '../protocol/message.ts';

interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
  /** The tool that answers the same as `complete`: a connection that does not open it completes nothing. */
  like?: FilteredTool;
  /** Values that contain a text. */
  complete?(ctx: Ctx, text: string): Promise<string[]>;
}

interface PromptMessage {
  role: 'user' | 'assistant';
  content: object;
}

/** What a person may start an agent with. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** What the agent is given; or what its person is asked first. Arguments are what the person has typed. */
  messages(
    args: Record<string, string>,
    params: McpMessage['params'],
  ): readonly PromptMessage[] | { input: Partial<InputRequest> };
}

/** A message of the person. */
export const userMessage = (text: string): PromptMessage[] => [
  { role: 'user', content: { type: 'text', text } },
];
