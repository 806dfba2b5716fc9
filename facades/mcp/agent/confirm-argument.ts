import { isObject } from '../../../src/json.ts';

export function addConfirmToken(inputSchema: object): object {
  if (!hasPreview({ inputSchema })) return inputSchema;
  const { properties } = inputSchema as { properties: object };
  return { ...inputSchema, properties: { ...properties, confirm_token: CONFIRM_TOKEN_SCHEMA } };
}

export function hasPreview({ inputSchema }: { inputSchema: object }): boolean {
  const { properties } = inputSchema as { properties?: unknown };
  return isObject(properties) && 'confirm' in properties;
}

/** Has no description, because every client reads the whole tool list, and previews explain the token. */
const CONFIRM_TOKEN_SCHEMA = { type: 'string' };

export function omitConfirmation({ confirm: _, confirm_token: __, ...args }: Record<string, unknown>) {
  return args;
}
