import type { RecordModelsQuery } from '../generated.ts';

type ListedModel = RecordModelsQuery['models'][number];
type App = RecordModelsQuery['apps'][number];

interface ModelGroup {
  label: string;
  models: ListedModel[];
}

/** Built-in models for everyday use. The others are for administrators and have separate pages. */
const CONTACT_MODELS = /^res\.partner(?:$|\.)/;

/** Filters models by name, and groups them into contacts, installed apps and the workspace's models. */
export function groupModels(
  models: ListedModel[],
  apps: App[],
  text: string,
  contacts: string,
  customLabel: string,
): ModelGroup[] {
  const query = text.trim().toLowerCase();
  const matches = ({ model, name, pluralName }: ListedModel) =>
    [name, pluralName].some((label) => label.toLowerCase().includes(query)) || model.includes(query);
  const group = (label: string, isOf: (model: ListedModel) => boolean): ModelGroup => ({
    label,
    models: models.filter((model) => isOf(model) && matches(model)),
  });
  const installedApps = apps.filter(({ state }) => state === 'INSTALLED');
  return [
    group(contacts, ({ model }) => CONTACT_MODELS.test(model)),
    ...installedApps.map(({ name, label }) => group(label, ({ module }) => module === name)),
    group(customLabel, ({ module }) => module === null),
  ].filter(({ models }) => models.length > 0);
}
