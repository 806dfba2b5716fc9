import { canAccessModel } from '../../../src/engine/access/access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLabelLanguage, getModelLabel, getModelPluralLabel } from '../../../src/engine/describe/labels.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { ModelName } from '../../data/model-types.ts';

// Model names for pickers. Every user may read them, although only administrators may read ir.model records.

const policy: Policy = { auth: ['USER'], scope: 'read' };

interface NamedModel {
  model: string;
  display_name: string;
}

export const irModelAvailable = defineOperation('irModelAvailable', {
  effects: ['reads'],
  address: 'ir.model/get_available_models',
  policy,
  description:
    'Returns the technical and display names of models that the caller may read, sorted by display name.',
  args: () => ({}),
  type: [ModelName],
  returns: facadeResult.json,
  run: (ctx) => nameModels(ctx, getReadableModels(ctx)),
  answer: toModelNames,
});

export const irModelDisplayNames = defineOperation('irModelDisplayNames', {
  effects: ['reads'],
  address: 'ir.model/display_name_for',
  policy,
  description:
    'Returns the display names of models. Models that the caller may not read are returned with their technical name.',
  args: (arg) => ({
    models: arg.stringList({ required: true, description: 'Technical names of the models.' }),
  }),
  type: [ModelName],
  returns: facadeResult.json,
  run: (ctx, { models }) => {
    const readableModels = new Set(getReadableModels(ctx));
    const unreadableModels = models.filter((model) => !readableModels.has(model));
    return [
      ...nameModels(
        ctx,
        models.filter((model) => readableModels.has(model)),
      ),
      ...unreadableModels.map((model) => ({ model, display_name: model })),
    ];
  },
  answer: toModelNames,
});

function toModelNames(ctx: Ctx, models: NamedModel[]) {
  const language = getLabelLanguage(ctx);
  const readableModels = new Set(getReadableModels(ctx));
  return models.map(({ model, display_name: name }) => ({
    model,
    name,
    pluralName: readableModels.has(model)
      ? getModelPluralLabel(ctx.catalog.registry.get(model)!, language)
      : name,
  }));
}

const getReadableModels = (ctx: Ctx): string[] =>
  [...ctx.catalog.registry.values()]
    .filter((model) => canAccessModel(ctx, model, 'read'))
    .map((model) => model.name);

function nameModels(ctx: Ctx, models: string[]): NamedModel[] {
  const language = getLabelLanguage(ctx);
  return models
    .map((model) => ({ model, display_name: getModelLabel(ctx.catalog.registry.get(model)!, language) }))
    .sort((a, b) => a.display_name.localeCompare(b.display_name, language?.replace('_', '-') ?? 'en'));
}
