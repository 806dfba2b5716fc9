import { AppError } from '../../src/errors.ts';
import { isObject, stringifyMembers } from '../../src/json.ts';
import { limits } from '../../src/limits.ts';
import { allowsResource, countRead } from './agent/allows-resource.ts';
import type { McpMessage } from './protocol/message.ts';
import { rpcErrors } from './protocol/rpc-error.ts';
import type { McpResult } from './result.ts';
import type { Session } from './session.ts';

const MAX_COMPLETED_CHARS = 200;

/** Handles `completion/complete`: completes a prompt argument or a resource template variable. */
export async function complete(session: Session, message: McpMessage): Promise<McpResult> {
  const { ref, argument } = message.params;
  if (!isObject(ref)) throw rpcErrors.invalidParams('ref must be an object');
  if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string')
    throw rpcErrors.invalidParams('argument must have a name and a value');
  await countRead(session, message);
  const text = argument.value.slice(0, MAX_COMPLETED_CHARS);
  const completions = await loadCompletions(session, ref, argument.name, text);
  const values = completions.slice(0, limits.mcp.completions);
  return {
    members: stringifyMembers({
      completion: { values, total: completions.length, hasMore: completions.length > values.length },
    }),
  };
}

async function loadCompletions(
  session: Session,
  ref: Record<string, unknown>,
  name: string,
  text: string,
): Promise<string[]> {
  const { ctx, registry } = session;
  if (ref.type === 'ref/resource') {
    const kind = registry.resources.find(
      (resource) => resource.template?.uriTemplate === ref.uri && allowsResource(session, resource),
    );
    if (!kind) throw rpcErrors.invalidParams('unknown resource template');
    return kind.complete?.(ctx, text) ?? [];
  }
  if (ref.type !== 'ref/prompt') throw rpcErrors.invalidParams('ref.type must be ref/prompt or ref/resource');
  const prompt = registry.prompts.find((prompt) => prompt.name === ref.name);
  if (!prompt) throw rpcErrors.invalidParams('unknown prompt');
  const argument = prompt.arguments.find((argument) => argument.name === name);
  if (!argument) throw rpcErrors.invalidParams('unknown argument of the prompt');
  if (!allowsResource(session, argument)) return [];
  try {
    return (await argument.complete?.(ctx, text)) ?? [];
  } catch (error) {
    // A caller who may not read the values gets no completions.
    if (error instanceof AppError && error.kind === 'ACCESS_ERROR') return [];
    throw error;
  }
}
