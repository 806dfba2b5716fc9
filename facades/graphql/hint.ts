import { isInputObjectType, isObjectType } from 'graphql';
import { didYouMean } from 'graphql/jsutils/didYouMean.js';
import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { ErrorDetails } from '../../src/errors.ts';

const GUESS = /Did you mean .*\?$/s;

/** What may have been meant: as the message says, or by the names that resemble the unknown one. */
export function hintOf(
  ctx: Ctx,
  message: string,
  { model, field, value }: ErrorDetails = {},
): string | undefined {
  // Names of the schema are for callers who are recognised.
  if (!ctx.principal) return undefined;
  const said = GUESS.exec(message)?.[0];
  if (said) return said;
  if (model === undefined) return takenInstead(ctx, message);
  const { registry } = ctx.catalog;
  const known = registry.get(model);
  if (!known) return guess(model, registry.keys());
  if (field === undefined) return undefined;
  const there = known.fields.get(field);
  if (!there) return guess(field, [...known.fields.values()].filter(({ secret }) => !secret).map(nameOf));
  const choices = typeof value === 'string' ? (there.selection ?? []) : [];
  return guess(
    String(value),
    choices.map(([choice]) => choice),
  );
}

/** The fields of an input, or the arguments of a field, of which an unknown one is like none. */
function takenInstead(ctx: Ctx, message: string): string | undefined {
  const [, input, parent, field] = UNKNOWN.exec(message) ?? [];
  const type = ctx.runtime.getSchema(ctx.catalog.registry).getType(input ?? parent ?? '');
  if (isInputObjectType(type)) return listed(Object.keys(type.getFields()));
  const args = isObjectType(type) ? type.getFields()[field ?? '']?.args : undefined;
  return args && listed(args.map(nameOf));
}

const UNKNOWN = /(?:is not defined by type "(\w+)"|^Unknown argument "\w+" on field "(\w+)\.(\w+)")\.$/;

const listed = (names: string[]): string | undefined =>
  names.length > 0 && names.length <= MOST ? `It takes ${names.join(', ')}.` : undefined;

/** Inputs of records with more fields are looked up in the schema. */
const MOST = 40;

const nameOf = ({ name }: { name: string }): string => name;

/** Longer ones are no slip of the fingers, and would take long to compare. */
const LONGEST = 100;

function guess(wrong: string, known: Iterable<string>): string | undefined {
  if (wrong.length > LONGEST) return undefined;
  return didYouMean(suggestionList(wrong, [...known])).trim() || undefined;
}
