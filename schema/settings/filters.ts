import { builder } from '../../src/engine/verb/builder.ts';

// The inputs of `where` and `orderBy` are those of the record graph, whose plan has them for every model. The builder's
// schema only needs their names: where both have a type of a name, the plan's is taken (schema/graph/build/types.ts).

const referToInput = (name: string) =>
  builder.inputType(name, {
    description: 'Stands in for an input of the record graph.',
    fields: (t) => ({ id: t.id({ description: 'Stands in for the fields.' }) }),
  });

export const referToWhereInput = (type: string) => referToInput(`${type}Where`);

export const referToOrderInput = (type: string) => referToInput(`${type}Order`);
