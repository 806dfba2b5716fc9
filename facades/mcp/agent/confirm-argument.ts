import { isObject } from '../../../src/json.ts';

/** The input schema of a tool; one that takes `confirm` takes the token of its preview as well. */
export function withConfirmToken(inputSchema: object): object {
  if (!hasPreview({ inputSchema })) return inputSchema;
  const { properties } = inputSchema as { properties: object };
  return { ...inputSchema, properties: { ...properties, confirm_token: CONFIRM_TOKEN } };
}

/** Whether the tool shows what it would do before it is confirmed. */
export function hasPreview({ inputSchema }: { inputSchema: object }): boolean {
  const { properties } = inputSchema as { properties?: unknown };
  return isObject(properties) && 'confirm' in properties;
}

/** Previews name it, so the list of tools, which every program reads whole, says no more of it. */
const CONFIRM_TOKEN = { type: 'string' };

/** The arguments of a tool without those that confirm them. */
export function omitConfirmation({ confirm: _, confirm_token: __, ...args }: Record<string, unknown>) {
  return args;
}
