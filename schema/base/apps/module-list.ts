import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { AppRemoval, type AppRow, ChangeKind, loadApps } from './app-shape.ts';

// Every user may read these app details, but only administrators may read the records.

const policy: Policy = { auth: ['USER'], scope: 'read' };

const Installed = defineTypedShape('InstalledModule', 'An installed app, or a module that apps depend on.', {
  name: { type: 'String', description: 'Technical name.' },
  shortdesc: { type: 'String', description: 'Name.' },
  installedVersion: { type: 'String', nullable: true, description: 'Version.' },
  application: { type: 'Boolean', description: 'True if the module is an app.' },
  changedAt: { type: 'DateTime', description: 'When the module was installed or last updated.' },
});

type InstalledModule = ValueOf<typeof Installed>;

export const installedModules = defineOperation('installedModules', {
  effects: ['reads'],
  policy,
  description: 'Lists the installed apps and their dependencies, sorted by name.',
  args: (arg) => ({
    filter: arg.string({
      defaultValue: '',
      description: 'Only modules whose name contains this string.',
    }),
    appsOnly: arg.boolean({ defaultValue: false, description: 'Only apps.' }),
  }),
  type: [Installed.ref],
  run: (ctx, { filter, appsOnly }): Promise<InstalledModule[]> =>
    loadInstalledModules(ctx, filter?.trim().toLowerCase() ?? '', appsOnly ?? false),
});

const loadInstalledModules = (
  { db, workspace: { id } }: Ctx,
  part: string,
  appsOnly: boolean,
): Promise<InstalledModule[]> =>
  db.rows(
    sql`select name, coalesce(shortdesc, name) as shortdesc, latest_version as "installedVersion", application,
       ${toIsoSql(sql`write_date`)} as "changedAt"
     from ir_module_module where workspace_id = ${id} and state = 'installed'
       and (application or not ${appsOnly}::boolean)
       and strpos(lower(name || ' ' || coalesce(shortdesc, '')), ${part}) > 0
     order by name`,
  );

const ModuleStatusShape = defineTypedShape('ModuleStatus', 'Details of an app.', {
  name: { type: 'String', description: 'Technical name.' },
  shortdesc: { type: 'String', description: 'Name.' },
  summary: { type: 'String', nullable: true, description: 'Purpose of the module.' },
  author: { type: 'String', nullable: true, description: 'Author of the module.' },
  installedVersion: {
    type: 'String',
    nullable: true,
    description: 'Installed version. Null if the module is not installed.',
  },
  state: { type: 'String', description: 'State, such as `installed`.' },
  application: { type: 'Boolean', description: 'True if the module is an app.' },
  dependencies: {
    type: ['String'],
    description: 'Technical names of the modules that this module depends on.',
  },
  dependents: { type: ['String'], description: 'Technical names of the modules that depend on this module.' },
  version: { type: 'String', nullable: true, description: 'Version available on this server.' },
  changes: {
    type: [ChangeKind],
    description: 'Actions that administrators can take now, such as install or upgrade.',
  },
  removal: {
    type: AppRemoval,
    nullable: true,
    description: 'Progress of the removal. Null unless the module is being removed.',
  },
});

type ModuleStatus = ValueOf<typeof ModuleStatusShape>;

export const moduleStatus = defineOperation('moduleStatus', {
  effects: ['reads'],
  policy,
  description: 'Returns details of an app by its technical name.',
  args: (arg) => ({ name: arg.string({ required: true, description: 'Technical name, such as `crm`.' }) }),
  type: ModuleStatusShape.ref,
  run: async (ctx, { name }): Promise<ModuleStatus> => {
    const [row] = await ctx.db.rows<Omit<ModuleStatus, 'changes' | 'removal'>>(
      buildStatusSql(ctx, name.trim()),
    );
    if (!row) throw errors.notFound('Module');
    const { changes, removal } = (await loadApps(ctx)).find((app) => app.name === row.name) ?? NO_APP;
    return { ...row, changes, removal };
  },
});

/** Platform modules cannot be changed. */
const NO_APP: Pick<AppRow, 'changes' | 'removal'> = { changes: [], removal: null };

const buildStatusSql = ({ workspace }: Ctx, name: string) => {
  const id = sql.param(workspace.id);
  return sql`select m.name, coalesce(m.shortdesc, m.name) as shortdesc, m.summary, m.author,
      m.published_version as version,
      case when m.state = 'installed' then m.latest_version end as "installedVersion", m.state, m.application,
      array(select d.name from ir_module_module_dependency d
        where d.workspace_id = ${id} and d.module_id = m.id order by d.name) as dependencies,
      array(select o.name from ir_module_module_dependency d
        join ir_module_module o on o.workspace_id = ${id} and o.id = d.module_id
        where d.workspace_id = ${id} and d.name = m.name order by o.name) as dependents
    from ir_module_module m where m.workspace_id = ${id} and m.name = ${name}`;
};
