import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { isSecretName } from '../../../src/secret-names.ts';
import type { McpMessage } from '../protocol/message.ts';
import { META_KEYS, MODERN_REVISION, type Revision } from '../protocol/revisions.ts';

// A modern client that supports elicitation asks its user. It then repeats the call with the user's response and the
// `requestState` that binds the response to the call.

/** An elicitation request. The client returns `requestState` with the response. */
export interface InputRequest {
  inputRequests: object;
  requestState: string;
}

const KEY = 'approval';

export const confirmationForm = {
  can(revision: Revision, meta: unknown): boolean {
    const declared =
      revision === MODERN_REVISION && isObject(meta) ? meta[META_KEYS.clientCapabilities] : undefined;
    const elicitation = isObject(declared) ? declared.elicitation : undefined;
    if (!isObject(elicitation)) return false;
    return 'form' in elicitation || !('url' in elicitation);
  },

  /**
   * @param state binds the response to the call
   * @throws USER_ERROR if the request is too long for a person to review
   */
  request(title: string, confirmation: Record<string, unknown>, state: string): InputRequest {
    const text = JSON.stringify(confirmation, (name, value) => (isSecretName(name) ? '***' : value), 2);
    const maxCharacters = limits.agent.pendingActionChars;
    if (text.length > maxCharacters)
      throw errors.user(
        `Actions that require a person's approval are limited to ${maxCharacters} characters.`,
      );
    const message = `${title}: the agent wants to do this.\n${text}`;
    const approve = {
      type: 'boolean',
      title: 'Do it',
      description: 'Allows the agent to perform exactly this action, once.',
    };
    const requestedSchema = { type: 'object', properties: { approve }, required: ['approve'] };
    return {
      inputRequests: {
        [KEY]: { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } },
      },
      requestState: state,
    };
  },
};

/** Parses the user's decision. Null if the response is missing or invalid. */
export function parsePersonReply(params: McpMessage['params']): { state: string; approves: boolean } | null {
  const { inputResponses, requestState } = params;
  const result = isObject(inputResponses) ? inputResponses[KEY] : undefined;
  if (typeof requestState !== 'string' || !isObject(result)) return null;
  const { action, content } = result;
  if (action === 'decline' || action === 'cancel') return { state: requestState, approves: false };
  if (action !== 'accept' || !isObject(content) || typeof content.approve !== 'boolean') return null;
  return { state: requestState, approves: content.approve };
}
