import { didYouMean } from 'graphql/jsutils/didYouMean.js';
import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { ErrorFacts } from '../../src/errors.ts';

const GUESS = /Did you mean .*\?$/s;

/** What may have been meant: as the message says, or by the names that resemble the unknown one. */
export function hintOf(
  ctx: Ctx,
  message: string,
  { model, field, value }: ErrorFacts = {},
): string | undefined {
  // Names of the schema are for callers who are recognised.
  if (!ctx.principal) return undefined;
  const said = GUESS.exec(message)?.[0];
  if (said || model === undefined) return said;
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

const nameOf = ({ name }: { name: string }): string => name;

/** Longer ones are no slip of the fingers, and would take long to compare. */
const LONGEST = 100;

function guess(wrong: string, known: Iterable<string>): string | undefined {
  if (wrong.length > LONGEST) return undefined;
  return didYouMean(suggestionList(wrong, [...known])).trim() || undefined;
}
