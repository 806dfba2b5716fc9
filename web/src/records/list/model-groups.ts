import type { RecordModelsQuery } from '../generated.ts';

type ListedModel = RecordModelsQuery['models'][number];
type App = RecordModelsQuery['apps'][number];

/** Lists of one app. */
export interface ModelGroup {
  label: string;
  models: ListedModel[];
}

/** Lists of the platform that people work with; the others are for administrators, and have screens of their own. */
const CONTACT_MODELS = /^res\.partner(?:$|\.)/;

/** Lists whose name holds the text, by app: contacts, installed apps, and models of the workspace itself. Pure. */
export function groupModels(
  models: ListedModel[],
  apps: App[],
  text: string,
  contacts: string,
  own: string,
): ModelGroup[] {
  const query = text.trim().toLowerCase();
  const matches = ({ model, name }: ListedModel) =>
    name.toLowerCase().includes(query) || model.includes(query);
  const group = (label: string, isOf: (model: ListedModel) => boolean): ModelGroup => ({
    label,
    models: models.filter((model) => isOf(model) && matches(model)),
  });
  const installed = apps.filter(({ state }) => state === 'INSTALLED');
  return [
    group(contacts, ({ model }) => CONTACT_MODELS.test(model)),
    ...installed.map(({ name, label }) => group(label, ({ module }) => module === name)),
    group(own, ({ module }) => module === null),
  ].filter(({ models }) => models.length > 0);
}
