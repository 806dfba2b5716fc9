import { isObject, stringifyMembers } from '../../../src/json.ts';
import { countRead } from '../agent/allows-resource.ts';
import { type McpMessage, rejectCursor } from '../protocol/message.ts';
import { type Revision, supportsStructuredContent } from '../protocol/revisions.ts';
import { rpcErrors } from '../protocol/rpc-error.ts';
import type { McpResult } from '../result.ts';
import type { Session } from '../session.ts';
import type { Prompt } from './prompt.ts';

export async function listPrompts(session: Session, message: McpMessage): Promise<McpResult> {
  const { registry, revision } = session;
  rejectCursor(message);
  await countRead(session, message);
  const prompts = registry.prompts.map((prompt) => toPromptEntry(prompt, revision));
  return { members: stringifyMembers({ prompts }), cacheable: true };
}

function toPromptEntry({ name, title, description, arguments: args }: Prompt, revision: Revision): object {
  return {
    name,
    ...(supportsStructuredContent(revision) && { title }),
    description,
    arguments: args.map((arg) => ({
      name: arg.name,
      description: arg.description,
      required: arg.required,
    })),
  };
}

/** Handles `prompts/get`. @throws RpcError -32602 for an unknown prompt, and for missing or non-string arguments */
export async function getPrompt(session: Session, message: McpMessage): Promise<McpResult> {
  const { params } = message;
  const { name } = params;
  const rawArguments = params.arguments ?? {};
  await countRead(session, message);
  const prompt = session.registry.prompts.find((prompt) => prompt.name === name);
  if (!prompt) throw rpcErrors.invalidParams(`unknown prompt ${JSON.stringify(name)?.slice(0, 100)}`);
  const messages = prompt.messages(parseTexts(prompt, rawArguments), params);
  if ('input' in messages) return { members: stringifyMembers(messages.input), wantsInput: true };
  return { members: stringifyMembers({ description: prompt.description, messages }) };
}

function parseTexts({ arguments: declaredArguments }: Prompt, rawArguments: unknown): Record<string, string> {
  if (!isObject(rawArguments)) throw rpcErrors.invalidParams('arguments must be an object');
  const args: Record<string, string> = {};
  for (const { name, required } of declaredArguments) {
    const value = rawArguments[name] ?? undefined;
    if (required && value === undefined) throw rpcErrors.invalidParams(`the argument ${name} is required`);
    if (value === undefined) continue;
    if (typeof value !== 'string') throw rpcErrors.invalidParams(`the argument ${name} must be a string`);
    args[name] = value;
  }
  return args;
}
