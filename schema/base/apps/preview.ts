import type { App } from '../../../apps/kit/app.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getModelLabel, type LabelLanguage } from '../../../src/engine/describe/labels.ts';
import { defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';
import { isLaterVersion } from '../../../src/version.ts';
import { findChangedFaults } from '../ir/field/rule-faults.ts';
import { type AppChange, loadApp } from './app-shape.ts';
import { getApp, listWithDependencies } from './get-app.ts';
import { loadInstalledVersions } from './install.ts';
import { loadAppStates } from './module-rows.ts';
import { countRemovedRows, planRemoval } from './removal.ts';

const ModelCount = defineTypedShape(
  'AppModelCount',
  'A model that a change to an app adds or removes, with its number of records.',
  {
    model: { type: 'String', description: 'Technical name.' },
    label: { type: 'String', description: 'Name.' },
    records: { type: 'Int', description: 'Number of records, including archived ones.' },
  },
);

const FieldName = defineTypedShape('AppFieldName', 'A custom field of the workspace.', {
  model: { type: 'String', description: "Technical name of the field's model." },
  name: { type: 'String', description: 'Technical name.' },
});

const RuleName = defineTypedShape('AppRuleName', 'A record rule of the workspace.', {
  id: { type: 'ID', description: 'Id.' },
  name: { type: 'String', description: 'Name.' },
});

export const AppPreviewShape = defineTypedShape(
  'AppPreview',
  'Preview of a change to an app. Nothing is changed.',
  {
    apps: {
      type: ['String'],
      description: 'Technical names of the apps that would change, in the order of the changes.',
    },
    models: {
      type: [ModelCount],
      description: 'Models that would be added or removed, with the number of records that would be deleted.',
    },
    attached: {
      type: [ModelCount],
      description:
        'Data attached to the deleted records, such as messages and attachments, that would also be deleted.',
    },
    fields: { type: [FieldName], description: 'Custom fields that would be deleted.' },
    rules: {
      type: [RuleName],
      description:
        'Record rules that would deny access to all records, because they refer to removed fields. Change or ' +
        'archive them first.',
    },
    groups: { type: ['String'], description: 'External ids of the groups that would be added or removed.' },
    rows: { type: 'Int', description: 'Number of rows that would be deleted.' },
    isPossible: { type: 'Boolean', description: 'True if an administrator can make the change now.' },
  },
);

type LabeledCount = ValueOf<typeof ModelCount>;
type ModelRecordCount = Omit<LabeledCount, 'label'>;

interface AppPreview
  extends Pick<ValueOf<typeof AppPreviewShape>, 'apps' | 'fields' | 'rules' | 'groups' | 'rows'> {
  models: ModelRecordCount[];
  attached: ModelRecordCount[];
}

/** @throws NOT_FOUND */
export async function previewAppChange(
  ctx: Ctx,
  name: string,
  change: AppChange,
  language: LabelLanguage,
): Promise<ValueOf<typeof AppPreviewShape>> {
  getApp(name);
  const isPossible = (await loadApp(ctx, name)).changes.includes(change);
  const appPreview = change === 'uninstall' ? previewRemoval(ctx, name) : previewAddition(ctx, name, change);
  const preview = await appPreview;
  const addLabels = (list: ModelRecordCount[]): LabeledCount[] =>
    list.map((item) => ({ ...item, label: getModelLabel(ctx.runtime.registry.get(item.model)!, language) }));
  return {
    ...preview,
    models: addLabels(preview.models),
    attached: addLabels(preview.attached),
    isPossible,
  };
}

async function previewAddition(ctx: Ctx, name: string, change: AppChange): Promise<AppPreview> {
  const states = await loadAppStates(ctx);
  const versions = await loadInstalledVersions(ctx);
  const isAdded = (app: App) => states.get(app.name) !== 'installed';
  const isOutdated = (app: App) =>
    versions.has(app.name) && isLaterVersion(app.version, versions.get(app.name)!);
  const changingApps = listWithDependencies([name]).filter(
    (app) => isAdded(app) || (change === 'upgrade' && isOutdated(app)),
  );
  const addedApps = changingApps.filter(isAdded);
  const models = [...ctx.runtime.registry.values()].filter(({ module }) =>
    addedApps.some((app) => app.name === module),
  );
  return {
    apps: changingApps.map((app) => app.name),
    models: models.map(({ name: model }) => ({ model, records: 0 })),
    attached: [],
    fields: [],
    rules: [],
    groups: addedApps.flatMap((app) => app.groups.map(({ id }) => id)),
    rows: 0,
  };
}

async function previewRemoval(ctx: Ctx, name: string): Promise<AppPreview> {
  const { apps, belongings, remainingRegistry } = await planRemoval(ctx, name);
  const faultyRules = (await findChangedFaults(ctx, remainingRegistry)).filter(({ fault }) => fault !== null);
  const counts = await countRemovedRows(ctx, belongings);
  const byTable = new Map([...ctx.runtime.registry.values()].map((model) => [model.table, model]));
  const recordCounts = belongings.parts.flatMap(
    ({ table, by }, index): (ModelRecordCount & { hangs: boolean })[] => {
      const model = byTable.get(table);
      return model ? [{ model: model.name, records: counts[index]!, hangs: by !== undefined }] : [];
    },
  );
  const buildCountsSql = (hangs: boolean) =>
    recordCounts
      .filter((recordCount) => recordCount.hangs === hangs && (!hangs || recordCount.records > 0))
      .map(({ model, records }) => ({ model, records }));
  return {
    apps: apps.map((app) => app.name),
    models: buildCountsSql(false),
    attached: buildCountsSql(true),
    fields: belongings.fields.map(({ model, name: field }) => ({ model, name: field })),
    rules: faultyRules.map(({ id, name: rule }) => ({ id: String(id), name: rule })),
    groups: belongings.groups,
    rows: counts.reduce((sum, count) => sum + count, 0),
  };
}
