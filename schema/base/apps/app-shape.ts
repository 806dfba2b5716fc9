import { apps } from '../../../apps/index.ts';
import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLabelLanguage, type LabelLanguage, translateLabel } from '../../../src/engine/describe/labels.ts';
import { defineEnumShape, defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';
import { isLaterVersion } from '../../../src/version.ts';
import { getApp, listWithDependencies, listWithDependents, toAppVersion } from './get-app.ts';
import type { ModuleState } from './module-rows.ts';

export const ChangeKind = defineEnumShape('AppChange', 'A change to an app.', {
  install: 'Install the app and its dependencies.',
  upgrade: 'Update the app and its dependencies to the version available on this server.',
  uninstall: 'Remove the app, the apps that depend on it, and their data.',
});

export type AppChange = 'install' | 'upgrade' | 'uninstall';

const AppState = defineEnumShape('AppState', 'Installation state of an app in a workspace.', {
  uninstalled: 'The app can be installed.',
  installed: 'The app is installed.',
  'to remove': 'The app is being removed: no protocol exposes it any more, and its rows are being deleted.',
});

export const AppRemoval = defineTypedShape('AppRemoval', "Progress of an app's removal.", {
  rows: { type: 'Int', description: 'Number of rows when the removal started.' },
  deleted: { type: 'Int', description: 'Number of rows deleted so far.' },
  startedAt: { type: 'DateTime', description: 'When the removal started.' },
});

export const AppShape = defineTypedShape(
  'App',
  'An app: models, operations, groups and initial records for one business area.',
  {
    name: { type: 'String', description: 'Technical name, such as `crm`.' },
    label: { type: 'String', description: 'Name.' },
    summary: { type: 'String', description: 'Purpose of the app.' },
    author: { type: 'String', description: 'Author of the app.' },
    version: { type: 'String', description: 'Version available on this server.' },
    installedVersion: {
      type: 'String',
      nullable: true,
      description: 'Version installed in the workspace. Null if the app is not installed.',
    },
    changes: {
      type: [ChangeKind],
      description: 'Actions that administrators can take now, such as install or upgrade.',
    },
    state: { type: AppState, description: 'Installation state in the workspace.' },
    dependencies: {
      type: ['String'],
      description: 'Technical names of all apps that this app depends on, directly or indirectly.',
    },
    dependents: {
      type: ['String'],
      description: 'Technical names of the installed apps that depend on this app, directly or indirectly.',
    },
    settings: { type: 'Int', description: 'Number of settings.' },
    removal: {
      type: AppRemoval,
      nullable: true,
      description: 'Progress of the removal. Null unless the app is being removed.',
    },
  },
);

export type AppRow = ValueOf<typeof AppShape>;

interface StoredApp {
  name: string;
  state: ModuleState;
  version: string | null;
  rows: number | null;
  deleted: number | null;
  startedAt: string | null;
}

/** Lists the available apps and their state in the workspace. @throws NOT_FOUND if no app has the given name */
export async function loadApps(
  ctx: Ctx,
  name: string | null = null,
  language: LabelLanguage = getLabelLanguage(ctx),
): Promise<AppRow[]> {
  const workspace = sql.param(ctx.workspace.id);
  const storedApps = await ctx.db.rows<StoredApp>(
    sql`select m.name, m.state, m.latest_version as version, r.total::float8 as rows, r.deleted::float8 as deleted,
       ${toIsoSql(sql`r.started_at`)} as "startedAt"
     from ir_module_module m
     left join svc_app_removal r on r.workspace_id = ${workspace} and m.name = any(r.apps)
     where m.workspace_id = ${workspace}`,
  );
  const rowsByName = new Map(storedApps.map((row) => [row.name, row]));
  const installedApps = storedApps.flatMap((row) => (row.state === 'installed' ? row.name : []));
  const selectedApps = name === null ? apps : [getApp(name)];
  return selectedApps.map((app) => {
    const row = rowsByName.get(app.name);
    const version = row?.state === 'installed' ? toAppVersion(row.version ?? '') : null;
    const translateAppText = (english: string) => translateLabel(language, app.name, english);
    return {
      name: app.name,
      label: translateAppText(app.label),
      summary: translateAppText(app.summary),
      author: app.author,
      version: app.version,
      installedVersion: version,
      changes: getPossibleChanges(
        ctx,
        row?.state ?? 'uninstalled',
        version !== null && isLaterVersion(app.version, version),
      ),
      state: row?.state ?? 'uninstalled',
      dependencies: listWithDependencies([app.name]).flatMap((withDependency) =>
        withDependency === app ? [] : withDependency.name,
      ),
      dependents: listWithDependents(app.name, installedApps).flatMap((withDependent) =>
        withDependent === app ? [] : withDependent.name,
      ),
      settings: app.settings.length,
      removal:
        row?.startedAt && row.state === 'to remove'
          ? { rows: row.rows!, deleted: Math.min(row.rows!, row.deleted!), startedAt: row.startedAt }
          : null,
    };
  });
}

function getPossibleChanges({ runtime }: Ctx, state: ModuleState, isBehind: boolean): AppChange[] {
  if (state === 'uninstalled') return ['install'];
  if (state === 'to remove') return [];
  return [
    ...(isBehind ? (['upgrade'] as const) : []),
    ...(runtime.config.removesApps ? (['uninstall'] as const) : []),
  ];
}

export const loadApp = async (ctx: Ctx, name: string, language?: LabelLanguage): Promise<AppRow> =>
  (await loadApps(ctx, name, language))[0]!;
