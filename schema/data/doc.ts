import { buildDocIndex, buildDocModel } from '../../src/engine/describe/doc.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { DocIndexType, DocModelType } from './doc-types.ts';

const policy: Policy = { auth: ['USER'], scope: 'read' };

export const docIndex = defineOperation('docIndex', {
  effects: ['reads'],
  policy,
  description: 'Lists the models that the caller may read, with field labels and method names.',
  args: () => ({}),
  type: DocIndexType,
  run: (ctx) => buildDocIndex(ctx),
});

export const docModel = defineOperation('docModel', {
  effects: ['reads'],
  policy,
  description: 'Returns the fields and methods of a model; method parameters are in positional order.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    graphql: arg.boolean({
      defaultValue: false,
      description: 'True to include the GraphQL root field that runs each method.',
    }),
  }),
  type: DocModelType,
  run: (ctx, { model, graphql }) => buildDocModel(ctx, model, graphql === true),
});
