import { builder } from '../../src/engine/operation/builder.ts';

// The inputs of `where` and `orderBy` belong to the record graph, whose plan defines them for every model. The
// builder's schema needs only their names: if both schemas have a type with the same name, the plan's is used
// (schema/graph/build/types.ts).

const referToInput = (name: string) =>
  builder.inputType(name, {
    description: 'Placeholder for an input of the record graph.',
    fields: (t) => ({ id: t.id({ description: 'Placeholder for the fields.' }) }),
  });

export const referToWhereInput = (type: string) => referToInput(`${type}Where`);

export const referToOrderInput = (type: string) => referToInput(`${type}Order`);
