import { apps } from '../../../apps/index.ts';
import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { UNCATEGORIZED } from '../users/groups.ts';
import { listWithDependencies, toModuleVersion } from './get-app.ts';

/** An app in the state `to remove` is hidden from users. */
export type ModuleState = 'installed' | 'uninstalled' | 'to remove';

interface Module {
  name: string;
  shortdesc: string;
  summary: string;
  category: string;
  author: string;
  version: string;
  application: boolean;
  depends: string[];
}

const buildPlatformModule = (
  name: string,
  shortdesc: string,
  summary: string,
  category: string,
  depends: string[],
  application = false,
): Module => ({
  name,
  shortdesc,
  summary,
  category,
  author: 'Atrium',
  version: toModuleVersion('1.0'),
  application,
  depends,
});

const PLATFORM_MODULES: Module[] = [
  buildPlatformModule('base', 'Base', 'Users, contacts, rights and the record API', 'Administration', []),
  buildPlatformModule('web', 'Web', 'Sessions and methods of web clients', 'Administration', ['base']),
  buildPlatformModule(
    'mail',
    'Discuss',
    'Messages and activities on records; sending email',
    'Productivity',
    ['base'],
  ),
  buildPlatformModule('contacts', 'Contacts', 'People and companies', 'Sales', ['mail'], true),
  buildPlatformModule(
    'website',
    'Website',
    'Pages, menus, redirects and forms of websites',
    'Website',
    ['mail'],
    true,
  ),
];

const listModules = (): Module[] => [
  ...PLATFORM_MODULES,
  ...apps.map(({ name, label, summary, category = UNCATEGORIZED, author, version, depends }) => ({
    name,
    shortdesc: label,
    summary,
    category,
    author,
    version: toModuleVersion(version),
    depends,
    application: true,
  })),
];

export const getDefaultApps = (): string[] => apps.flatMap(({ name, optional }) => (optional ? [] : name));

/**
 * Adds missing modules and updates the descriptions of existing ones.
 * @param appNames the apps of a new workspace; null for an existing one, which gets new default apps only if it has
 * installed all existing apps
 * @returns the names of all installed apps
 */
export async function addModules(ctx: Ctx, appNames: readonly string[] | null = null): Promise<string[]> {
  const before = await loadAppStates(ctx);
  const appsToAdd =
    appNames ?? ([...before.values()].every((state) => state === 'installed') ? getDefaultApps() : []);
  const installedNames = listWithDependencies(appsToAdd).map(({ name }) => name);
  const rows = listModules().map((module) => ({
    ...module,
    installed: isPlatformModule(module) || installedNames.includes(module.name),
  }));
  await addCategories(ctx, [...new Set(rows.map(({ category }) => category))]);
  await writeModules(ctx, rows);
  await writeDependencies(ctx, rows);
  return apps.flatMap(({ name }) =>
    (before.get(name) ?? (installedNames.includes(name) ? 'installed' : '')) === 'installed' ? name : [],
  );
}

const isPlatformModule = ({ name }: Module): boolean => PLATFORM_MODULES.some((item) => item.name === name);

export async function loadAppStates({
  db,
  workspace,
}: Pick<Ctx, 'db' | 'workspace'>): Promise<Map<string, ModuleState>> {
  const rows = await db.rows<{ name: string; state: ModuleState }>(
    sql`select name, state from ir_module_module
     where workspace_id = ${workspace.id} and name = any(${apps.map(({ name }) => name)})`,
  );
  return new Map(rows.map(({ name, state }) => [name, state]));
}

const addCategories = async (ctx: Ctx, names: string[]): Promise<unknown> =>
  ctx.db.rows(
    sql`insert into ir_module_category (workspace_id, id, name)
     select ${ctx.workspace.id}, g.id, g.name
     from unnest(${await allocateIds(ctx, 'ir_module_category', names.length)}::int[], ${names}::text[]) g(id, name)
     on conflict (workspace_id, name) do nothing`,
  );

/** Apps keep the version of their last upgrade. Platform modules take the code's version. */
async function writeModules(ctx: Ctx, rows: (Module & { installed: boolean })[]): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  await ctx.db.rows(
    sql`insert into ir_module_module as m (workspace_id, id, name, shortdesc, summary, category_id, author, state,
       application, latest_version, published_version, license)
     select ${workspace},
       (${await allocateIds(ctx, 'ir_module_module', rows.length)}::int[])[row_number() over ()],
       g.name, g.shortdesc, g.summary, c.id, g.author, case when g.installed then 'installed' else 'uninstalled' end,
       g.application, case when g.installed then g.version end, g.version, 'MIT'
     from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
       as g(name text, shortdesc text, summary text, category text, author text, version text, application boolean,
         installed boolean)
     join ir_module_category c on c.workspace_id = ${workspace} and c.name = g.category
     on conflict (workspace_id, name) do update
       set shortdesc = excluded.shortdesc, summary = excluded.summary, category_id = excluded.category_id,
         author = excluded.author, published_version = excluded.published_version,
         latest_version = case when m.name in (${sql.join(PLATFORM_MODULES.map(({ name }) => sql.literal(name)))})
           then excluded.latest_version else m.latest_version end
       where (m.shortdesc, m.summary, m.category_id, m.author, m.published_version)
         is distinct from (excluded.shortdesc, excluded.summary, excluded.category_id, excluded.author,
           excluded.published_version)`,
  );
}

async function writeDependencies(ctx: Ctx, rows: Module[]): Promise<void> {
  const count = rows.flatMap(({ depends }) => depends).length;
  await ctx.db.rows(
    sql`insert into ir_module_module_dependency (workspace_id, id, name, module_id)
     select ${ctx.workspace.id},
       (${await allocateIds(ctx, 'ir_module_module_dependency', count)}::int[])[row_number() over ()], d.name, o.id
     from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(name text, depends jsonb)
     cross join jsonb_array_elements_text(m.depends) d(name)
     join ir_module_module o on o.workspace_id = ${ctx.workspace.id} and o.name = m.name
     on conflict do nothing`,
  );
}

export const setModuleStates = ({ db, workspace }: Ctx, names: string[], state: ModuleState): Promise<void> =>
  updateModuleStates(db, workspace.id, names, state);

/**
 * Updates the states of apps. An installed app takes the code's version, and an app that is being removed keeps its
 * version.
 */
export async function updateModuleStates(
  db: Db,
  workspaceId: number,
  names: string[],
  state: ModuleState,
): Promise<void> {
  const versions = Object.fromEntries(listModules().map(({ name, version }) => [name, version]));
  const version = {
    installed: sql`${JSON.stringify(versions)}::jsonb->>name`,
    uninstalled: sql`null`,
    'to remove': sql`latest_version`,
  };
  await db.rows(
    sql`update ir_module_module set state = ${state}, latest_version = ${version[state]}, write_date = now()
     where workspace_id = ${workspaceId} and name = any(${names})`,
  );
}
