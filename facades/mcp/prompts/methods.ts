import { isObject, stringifyMembers } from '../../../src/json.ts';
import type { McpMessage } from '../protocol/message.ts';
import { type Revision, supportsStructuredContent } from '../protocol/revisions.ts';
import { rpcErrors } from '../protocol/rpc-error.ts';
import type { McpResult } from '../result.ts';
import type { Session } from '../session.ts';
import type { Prompt } from './prompt.ts';

/**
 * Handles `prompts/list`, which returns a single page. @throws RpcError -32602 for a cursor, because none was issued
 */
export function listPrompts({ registry, revision }: Session, { params }: McpMessage): McpResult {
  if (params.cursor !== undefined) throw rpcErrors.invalidParams('unknown cursor');
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
export function getPrompt({ registry }: Session, { params }: McpMessage): McpResult {
  const { name } = params;
  const rawArguments = params.arguments ?? {};
  const prompt = registry.prompts.find((prompt) => prompt.name === name);
  if (!prompt) throw rpcErrors.invalidParams(`unknown prompt ${JSON.stringify(name)?.slice(0, 100)}`);
  const messages = prompt.messages(parseTexts(prompt, rawArguments), params);
  if ('input' in messages) return { members: stringifyMembers(messages.input), wantsInput: true };
  return { members: stringifyMembers({ description: prompt.description, messages }) };
}

function parseTexts({ arguments: declaredArguments }: Prompt, rawArguments: unknown): Record<string, string> {
  if (!isObject(rawArguments)) throw rpcErrors.invalidParams('arguments must be an object');
  for (const { name, required } of declaredArguments) {
    const value = rawArguments[name];
    if (required && value === undefined) throw rpcErrors.invalidParams(`the argument ${name} is required`);
    if (value !== undefined && typeof value !== 'string')
      throw rpcErrors.invalidParams(`the argument ${name} must be a string`);
  }
  return rawArguments as Record<string, string>;
}
