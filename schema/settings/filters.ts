import { builder } from '../../src/engine/operation/builder.ts';

// The record graph's plan defines the inputs of `where` and `orderBy` for every model. The builder's schema needs only
// their names, because the plan's type replaces the builder's type of the same name (schema/graph/build/types.ts).

const referToInput = (name: string) =>
  builder.inputType(name, {
    description: 'Placeholder for an input of the record graph.',
    fields: (t) => ({
      id: t.id({ description: 'Placeholder that the schema build replaces with the actual fields.' }),
    }),
  });

export const referToWhereInput = (type: string) => referToInput(`${type}Where`);

export const referToOrderInput = (type: string) => referToInput(`${type}Order`);
