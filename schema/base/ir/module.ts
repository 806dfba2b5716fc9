import type { App } from '../../../apps/kit/app.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { newIds } from '../../../src/engine/ctx/new-ids.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';

const access = { 'base.group_system': 'r' };

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Apps and whether the workspace has them. */
defineModel('ir.module.module', {
  display: 'shortdesc',
  searchNames: ['name', 'shortdesc', 'summary'],
  order: 'application desc, sequence, name',
  access,
  ceiling: 'r',
  computed: {
    installed_version: {
      type: 'char',
      label: 'Latest Version',
      help: 'Version available for installation.',
      sql: (row) => sql`${row}.published_version`,
    },
    icon_image: {
      type: 'binary',
      label: 'Icon',
      help: 'One transparent pixel (PNG): modules have no icons here.',
      sql: () => sql`decode(${sql.literal(PIXEL)}, 'base64')`,
    },
    views_by_module: {
      type: 'text',
      label: 'Views',
      help: 'Views that the module brings: none.',
      sql: () => sql`''::text`,
    },
  },
});

defineModel('ir.module.module.dependency', { order: 'id', access, ceiling: 'r' });

/** The series of Odoo whose data API is spoken; versions of modules begin with it. */
const SERIES = '19.0';

interface Module {
  name: string;
  shortdesc: string;
  summary: string;
  version: string;
  application: boolean;
  depends: string[];
}

const own = (
  name: string,
  shortdesc: string,
  summary: string,
  depends: string[],
  application = false,
): Module => ({
  name,
  shortdesc,
  summary,
  version: '1.0',
  application,
  depends,
});

const modules = (apps: App[]): Module[] => [
  own('base', 'Base', 'Users, contacts, rights and the record API', []),
  own('web', 'Web', 'Sessions and methods of web clients', ['base']),
  own('mail', 'Discuss', 'Messages and activities on records; sending email', ['base']),
  own('contacts', 'Contacts', 'People and companies', ['mail'], true),
  own('website', 'Website', 'Pages, menus, redirects and forms of websites', ['mail'], true),
  ...apps.map(({ name, label, summary, version, depends }) => ({
    name,
    shortdesc: label,
    summary,
    version,
    depends,
    application: true,
  })),
];

/** Adds the modules that lack, as installed, and brings versions up to date. */
export async function addModules(ctx: Ctx, apps: App[]): Promise<void> {
  const rows = modules(apps).map((each) => ({ ...each, version: `${SERIES}.${each.version}` }));
  const given = JSON.stringify(rows);
  const dependencies = await newIds(
    ctx,
    'ir_module_module_dependency',
    rows.flatMap(({ depends }) => depends).length,
  );
  await ctx.db.rows(
    sql`insert into ir_module_module (workspace_id, id, name, shortdesc, summary, author, state, application,
       latest_version, published_version, license)
     select ${ctx.workspace.id}, (${await newIds(ctx, 'ir_module_module', rows.length)}::int[])[row_number() over ()],
       m.name, m.shortdesc, m.summary, 'Atrium', 'installed', m.application,
       m.version, m.version, 'MIT'
     from jsonb_to_recordset(${given}::jsonb)
       as m(name text, shortdesc text, summary text, version text, application boolean)
     on conflict (workspace_id, name) do update
       set latest_version = excluded.latest_version, published_version = excluded.published_version,
         write_date = excluded.write_date
       where ir_module_module.published_version is distinct from excluded.published_version`,
  );
  await ctx.db.rows(
    sql`insert into ir_module_module_dependency (workspace_id, id, name, module_id)
     select ${ctx.workspace.id}, (${dependencies}::int[])[row_number() over ()], d.name, o.id
     from jsonb_to_recordset(${given}::jsonb) as m(name text, depends jsonb)
     cross join jsonb_array_elements_text(m.depends) d(name)
     join ir_module_module o on o.workspace_id = ${ctx.workspace.id} and o.name = m.name
     on conflict do nothing`,
  );
}
