import { canAccessModel } from '../../../src/engine/access/access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { listModels } from '../../../src/engine/describe/describe.ts';
import { call } from '../../../src/engine/operation/call.ts';
import { limits } from '../../../src/limits.ts';
import type { ResourceInfo, ResourceKind } from './resource.ts';

const SCHEME = 'model://';
const MIME = 'application/json';

/** The readable fields of each model, in the format of describe_model. */
export const modelResources: ResourceKind = {
  template: {
    uriTemplate: `${SCHEME}{model}`,
    name: 'model',
    title: 'Fields of a model',
    description: 'Fields of a model, and what the user may do with its records.',
    mimeType: MIME,
  },
  like: { name: 'describe_model', group: 'schema', scope: 'read' },
  list: (ctx) => listModels(ctx, null, limits.mcp.models).map(toResourceInfo),
  async read(ctx, uri) {
    const name = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length) : '';
    const model = ctx.catalog.registry.get(name);
    if (!model || !canAccessModel(ctx, model, 'read')) return null;
    return [{ uri, mimeType: MIME, text: JSON.stringify(await call(ctx, 'modelDescribe', { model: name })) }];
  },
  complete: (ctx, text) => findModelNames(ctx, text),
};

const toResourceInfo = ({ model, name }: { model: string; name: string }): ResourceInfo => ({
  uri: `${SCHEME}${model}`,
  name: model,
  title: name,
  description: `Fields of ${model}.`,
  mimeType: MIME,
});

const findModelNames = (ctx: Ctx, text: string): string[] =>
  listModels(ctx, text, Number.POSITIVE_INFINITY).map(({ model }) => model);
