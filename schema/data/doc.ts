import { docIndex, docModel } from '../../src/engine/describe/doc.ts';
import type { Policy } from '../../src/engine/verb/policy.ts';
import { verb } from '../../src/engine/verb/verb.ts';

// What clients learn the product from: `/doc` and `/doc-bearer` show these two.

const policy: Policy = { auth: ['USER'], scope: 'read' };

verb('docIndex', {
  kind: 'query',
  policy,
  description:
    'The models the caller may read, with the labels of their fields and the names of their methods.',
  args: () => ({}),
  run: (ctx) => docIndex(ctx),
});

verb('docModel', {
  kind: 'query',
  policy,
  description: 'The fields of a model and its methods with their parameters in positional order.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    graphql: arg.boolean({ defaultValue: false, description: 'Tell the root field of each method too.' }),
  }),
  run: (ctx, { model, graphql }) => docModel(ctx, model, graphql === true),
});
