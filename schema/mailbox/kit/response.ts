import type { GraphQLResolveInfo } from 'graphql';
import { toCamelCase } from '../../../src/engine/model/naming.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { defineTypedShape, type ShapeParts } from '../../../src/engine/operation/shape.ts';
import { toGraphNames } from '../../../src/engine/operation/suggest-names.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import type { MailResult } from './mail-error.ts';

export function toCamelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelKeys);
  if (!value || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, value]) => [toCamelCase(key), toCamelKeys(value)]),
  );
}

/** Declares an operation's response like `returnShape`, but with an existing type. */
export const returnTypedShape = ({ ref }: ReturnType<typeof defineTypedShape>) => ({
  type: ref as object,
  returns: facadeResult.json,
  answer: (_ctx: unknown, value: unknown, _args: unknown, info: GraphQLResolveInfo): unknown =>
    toGraphResponse(value, info),
});

/** Converts a result to GraphQL names, including those in its error. */
export function toGraphResponse(value: unknown, { parentType, fieldName }: GraphQLResolveInfo): unknown {
  const response = toCamelKeys(
    value instanceof RawJson ? value.value() : value,
  ) as Partial<MailResult> | null;
  if (response?.ok !== false || !response.error) return response;
  return { ...response, error: toGraphNames(response.error, parentType.getFields()[fieldName]!.args) };
}

/**
 * Declares an operation's response. Facades return the result of `run` with snake_case keys, and GraphQL returns an
 * object of type `name`.
 */
export const returnShape = (name: string, description: string, parts: ShapeParts) =>
  returnTypedShape(defineTypedShape(name, description, parts));

/**
 * Declares the response of an operation that can be rejected. Its `parts` are null after a rejection. Facades return
 * errors about argument values as a rejection, too.
 */
export const returnOutcome = (name: string, description: string, parts: ShapeParts = {}) => ({
  ...returnShape(name, description, {
    ok: { type: 'Boolean', description: 'True if the call succeeded.' },
    error: {
      type: 'String',
      nullable: true,
      description: 'Reason for the rejection. Null if the call succeeded.',
    },
    ...Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, { ...part, nullable: true }])),
  }),
  reject: ({ message: error }: Error) => ({ ok: false, ...(parts.code && { code: 'bad_value' }), error }),
});
