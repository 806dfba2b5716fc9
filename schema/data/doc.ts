import { docIndex, docModel } from '../../src/engine/describe/doc.ts';
import type { Policy } from '../../src/engine/verb/policy.ts';
import { verb } from '../../src/engine/verb/verb.ts';

// What clients learn the product from: `/doc` and `/doc-bearer` show these two.

const policy: Policy = { auth: ['USER'], scope: 'read' };

verb('docIndex', {
  kind: 'query',
  policy,
  description: 'Lists the models the caller may read, with field labels and method names.',
  args: () => ({}),
  run: (ctx) => docIndex(ctx),
});

verb('docModel', {
  kind: 'query',
  policy,
  description: 'Returns the fields and methods of a model; method parameters are in positional order.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    graphql: arg.boolean({
      defaultValue: false,
      description: 'Include the GraphQL root field behind each method.',
    }),
  }),
  run: (ctx, { model, graphql }) => docModel(ctx, model, graphql === true),
});
