import { modelOf } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { copyNotes } from '../write/html.ts';

// A record of the table that others of it refer to may have no id yet. Its place stands for it, as a number below zero.

export const placeId = (place: number): number => -1 - place;

/** The values with each link `map`ped; those of their lines as well. */
export function mapLinks(ctx: Ctx, model: Model, values: Values, map: (id: number) => number): Values {
  const mapped = Object.entries(values).map(([name, value]) => [
    name,
    mapValue(ctx, model.fields.get(name)!, value, map),
  ]);
  return copyNotes(values, Object.fromEntries(mapped));
}

function mapValue(ctx: Ctx, field: Field, value: unknown, map: (id: number) => number): unknown {
  if (field.type === 'many2one') return typeof value === 'number' ? map(value) : value;
  if (!Array.isArray(value)) return value;
  if (field.type === 'many2many')
    return (value as [number, number, number[]][]).map(([code, none, ids]) => [code, none, ids.map(map)]);
  if (field.type !== 'one2many') return value;
  const target = modelOf(ctx, field.relation!);
  return (value as [number, number, Values?][]).map(([code, id, inner]) =>
    inner ? [code, id, mapLinks(ctx, target, inner, map)] : [code, id],
  );
}

/** Places of the records of the table that the values refer to. */
export function placesIn(ctx: Ctx, model: Model, values: Values): number[] {
  const places = new Set<number>();
  mapLinks(ctx, model, values, (id) => {
    if (id < 0) places.add(placeId(id));
    return id;
  });
  return [...places];
}

/**
 * Who can be made when: a record only needs those of earlier waves. Pure.
 * @param needs places of the records that each needs
 * @returns the waves, and those that are in no wave: they need each other, or one that does
 */
export function wavesOf(needs: number[][]): { waves: number[][]; circular: number[] } {
  const done = new Set<number>();
  const waves: number[][] = [];
  let left = needs.map((_, place) => place);
  for (;;) {
    const ready = left.filter((place) => needs[place]!.every((need) => done.has(need)));
    if (ready.length === 0) return { waves, circular: left };
    for (const place of ready) done.add(place);
    waves.push(ready);
    left = left.filter((place) => !done.has(place));
  }
}
