import { isInputObjectType, isObjectType } from 'graphql';
import { didYouMean } from 'graphql/jsutils/didYouMean.js';
import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { ErrorDetails } from '../../src/errors.ts';

/** Returns the suggestion in the message, or suggests names similar to the unknown one. */
export function findHint(
  ctx: Ctx,
  message: string,
  { model, field, value }: ErrorDetails = {},
): string | undefined {
  // Suggestions would reveal schema names to unauthenticated callers.
  if (!ctx.principal) return undefined;
  const suggestionIndex = message.endsWith('?') ? message.lastIndexOf('Did you mean ') : -1;
  if (suggestionIndex >= 0) return message.slice(suggestionIndex);
  if (model === undefined) return listAcceptedNames(ctx, message);
  const { registry } = ctx.catalog;
  const modelByName = registry.get(model);
  if (!modelByName) return suggestNearestName(model, registry.keys());
  if (field === undefined) return undefined;
  const knownField = modelByName.fields.get(field);
  if (!knownField)
    return suggestNearestName(
      field,
      [...modelByName.fields.values()].filter(({ secret }) => !secret).map(getName),
    );
  const choices = typeof value === 'string' ? (knownField.selection ?? []) : [];
  return suggestNearestName(
    String(value),
    choices.map(([choice]) => choice),
  );
}

/** Lists the fields of an input, or the arguments of a field, if no known name is similar to the unknown one. */
function listAcceptedNames(ctx: Ctx, message: string): string | undefined {
  const [, input, parent, field] = UNKNOWN_NAME.exec(message) ?? [];
  const type = ctx.runtime.getSchema(ctx.catalog.registry).getType(input ?? parent ?? '');
  if (isInputObjectType(type)) return describeFields(Object.keys(type.getFields()));
  const args = isObjectType(type) ? type.getFields()[field ?? '']?.args : undefined;
  return args && describeFields(args.map(getName));
}

const UNKNOWN_NAME = /(?:is not defined by type "(\w+)"|^Unknown argument "\w+" on field "(\w+)\.(\w+)")\.$/;

const describeFields = (names: string[]): string | undefined =>
  names.length > 0 && names.length <= MAX_LISTED_FIELDS ? `It takes ${names.join(', ')}.` : undefined;

/** Larger inputs are not listed. Clients look them up in the schema. */
const MAX_LISTED_FIELDS = 40;

const getName = ({ name }: { name: string }): string => name;

/** Longer names are not typos and would be slow to compare. */
const MAX_GUESSED_LENGTH = 100;

function suggestNearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_GUESSED_LENGTH) return undefined;
  return didYouMean(suggestionList(name, [...candidates])).trim() || undefined;
}
