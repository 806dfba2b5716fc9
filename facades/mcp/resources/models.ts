import { canAccessModel } from '../../../src/engine/access/access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { listModels } from '../../../src/engine/describe/describe.ts';
import { limits } from '../../../src/limits.ts';
import { createOffsetPaging, fitResult } from '../budget.ts';
import { describeModelForAgent } from './describe-model.ts';
import type { ResourceInfo, ResourceKind } from './resource.ts';

const SCHEME = 'model://';
const MIME = 'application/json';

/** The readable fields of each model, in the format of describe_model. */
export const modelResources: ResourceKind = {
  template: {
    uriTemplate: `${SCHEME}{model}`,
    name: 'model',
    title: 'Fields of a model',
    description: "A model's fields, and the user's permissions for its records.",
    mimeType: MIME,
  },
  like: { name: 'describe_model', group: 'schema', scope: 'read' },
  list: (ctx) => listModels(ctx, null, limits.mcp.models).map(toResourceInfo),
  async read(ctx, uri) {
    const [, name = '', offset = '0'] = URI_PATTERN.exec(uri) ?? [];
    const model = ctx.catalog.registry.get(name);
    if (!model || !canAccessModel(ctx, model, 'read')) return null;
    return [{ uri, mimeType: MIME, text: await describe(ctx, name, Number(offset)) }];
  },
  complete: (ctx, text) => findModelNames(ctx, text),
};

const URI_PATTERN = /^model:\/\/([^?]*)(?:\?offset=(\d{1,6}))?$/;

/** Describes a model. A description over the budget is truncated, and `next_uri` refers to the rest. */
async function describe(ctx: Ctx, model: string, offset: number): Promise<string> {
  const fullDescription = await describeModelForAgent(ctx, { model, methods: false, offset });
  const paging = createOffsetPaging(offset);
  const { _count, ...description } = JSON.parse(fitResult(fullDescription, paging).text);
  const { next_offset: next } = description;
  return JSON.stringify(
    next ? { ...description, next_uri: `${SCHEME}${model}?offset=${next}` } : description,
  );
}

const toResourceInfo = ({ model, name }: { model: string; name: string }): ResourceInfo => ({
  uri: `${SCHEME}${model}`,
  name: model,
  title: name,
  description: `Fields of ${model}.`,
  mimeType: MIME,
});

const findModelNames = (ctx: Ctx, text: string): string[] =>
  listModels(ctx, text, Number.POSITIVE_INFINITY).map(({ model }) => model);
