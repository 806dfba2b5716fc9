import type { RecordModelsQuery } from '../generated.ts';

type Listed = RecordModelsQuery['models'][number];
type App = RecordModelsQuery['apps'][number];

/** Lists of one app. */
export interface ModelGroup {
  label: string;
  models: Listed[];
}

/** Lists of the platform that people work with; the others are for administrators, and have screens of their own. */
const CONTACTS = /^res\.partner(?:$|\.)/;

/** Lists whose name holds the text, by app: contacts, installed apps, and models of the workspace itself. Pure. */
export function modelGroups(
  models: Listed[],
  apps: App[],
  text: string,
  contacts: string,
  own: string,
): ModelGroup[] {
  const wanted = text.trim().toLowerCase();
  const fits = ({ model, name }: Listed) => name.toLowerCase().includes(wanted) || model.includes(wanted);
  const group = (label: string, isOf: (model: Listed) => boolean): ModelGroup => ({
    label,
    models: models.filter((model) => isOf(model) && fits(model)),
  });
  const installed = apps.filter(({ state }) => state === 'INSTALLED');
  return [
    group(contacts, ({ model }) => CONTACTS.test(model)),
    ...installed.map(({ name, label }) => group(label, ({ module }) => module === name)),
    group(own, ({ module }) => module === null),
  ].filter(({ models }) => models.length > 0);
}
