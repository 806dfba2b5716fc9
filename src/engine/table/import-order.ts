import { getModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { copySanitizedHtml } from '../write/html.ts';

// A table record that other records reference may not have an id yet. A negative number then represents its position.

export const toPlaceId = (index: number): number => -1 - index;

/** Applies `map` to each linked id in the values, including the values of lines. */
export function mapLinks(ctx: Ctx, model: Model, values: Values, map: (id: number) => number): Values {
  const mapped = Object.entries(values).map(([name, value]) => [
    name,
    mapValue(ctx, model.fields.get(name)!, value, map),
  ]);
  return copySanitizedHtml(values, Object.fromEntries(mapped));
}

function mapValue(ctx: Ctx, field: Field, value: unknown, map: (id: number) => number): unknown {
  if (field.type === 'many2one') return typeof value === 'number' ? map(value) : value;
  if (!Array.isArray(value)) return value;
  if (field.type === 'many2many')
    return (value as [number, number, number[]][]).map(([code, none, ids]) => [code, none, ids.map(map)]);
  if (field.type !== 'one2many') return value;
  const target = getModel(ctx, field.relation!);
  return (value as [number, number, Values?][]).map(([code, id, inner]) =>
    inner ? [code, id, mapLinks(ctx, target, inner, map)] : [code, id],
  );
}

/** Returns the positions of the table records that the values reference. */
export function findPlaces(ctx: Ctx, model: Model, values: Values): number[] {
  const places = new Set<number>();
  mapLinks(ctx, model, values, (id) => {
    if (id < 0) places.add(toPlaceId(id));
    return id;
  });
  return [...places];
}

/**
 * Sorts records into waves, so that each record depends only on records in earlier waves.
 * @param needs for each record, the positions of the records that it depends on
 * @returns the waves, and the positions of records that are in a cycle or depend on one
 */
export function computeWaves(needs: number[][]): { waves: number[][]; circular: number[] } {
  const openNeeds = needs.map((need) => need.length);
  const neededBy = new Map<number, number[]>();
  for (const [index, item] of needs.entries())
    for (const need of item) {
      const places = neededBy.get(need);
      if (places) places.push(index);
      else neededBy.set(need, [index]);
    }
  const waves: number[][] = [];
  let readyIndexes = needs.flatMap((need, index) => (need.length === 0 ? [index] : []));
  while (readyIndexes.length > 0) {
    waves.push(readyIndexes);
    const freed = readyIndexes
      .flatMap((index) => neededBy.get(index) ?? [])
      .filter((index) => --openNeeds[index]! === 0);
    readyIndexes = freed.sort((a, b) => a - b);
  }
  return { waves, circular: needs.flatMap((_, index) => (openNeeds[index]! > 0 ? [index] : [])) };
}
