import type { OptionGroup } from '../../ui/form/field.tsx';
import { groupModels } from '../list/model-groups.ts';
import type { OwnModelChoicesQuery } from './generated.ts';
import { ownModelStrings } from './strings.ts';

/** Built-in models that users know, although they have separate pages. */
const KNOWN_MODELS = /^res\.(?:users|company|country|country\.state|currency|lang)$/;

/** Returns the models to choose from, sorted by name. Models for everyday use precede internal models. */
export function getModelChoices({
  models,
  apps,
}: Pick<OwnModelChoicesQuery, 'models' | 'apps'>): OptionGroup[] {
  const byName = [...models].sort((a, b) => a.name.localeCompare(b.name));
  const ofApps = groupModels(models, apps, '', '', '').flatMap((group) => group.models);
  const appModels = new Set(ofApps.map(({ model }) => model));
  const isKnown = (model: string) => appModels.has(model) || KNOWN_MODELS.test(model);
  const listOptions = (isShown: boolean) =>
    byName.filter(({ model }) => isKnown(model) === isShown).map(({ model, name }) => [model, name] as const);
  return [
    { label: ownModelStrings.mainModels, options: listOptions(true) },
    { label: ownModelStrings.internalModels, options: listOptions(false) },
  ].filter((group) => group.options.length > 0);
}
