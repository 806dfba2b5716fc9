import { sql } from '../../src/db/sql.ts';
import { defineModel } from '../../src/engine/model/registry.ts';
import { DESIGNER_GROUP } from './designer.ts';
import { siteInvalidationHooks } from './invalidate-site.ts';

/** Views can be changed only by operations, which validate the markup. */
defineModel('ir.ui.view', {
  group: 'website',
  order: 'priority, name, id',
  access: { [DESIGNER_GROUP]: 'r', 'base.group_system': 'r' },
  ceiling: 'r',
  graph: { type: 'View', one: 'view', many: 'views', writes: false },
  computed: {
    arch_db: {
      type: 'text',
      label: 'Arch Blob',
      help: 'The markup as it is stored.',
      sql: (row) => sql`${row}.arch`,
    },
    arch_base: {
      type: 'text',
      label: 'Base View Architecture',
      help: 'The markup. No view inherits from another one.',
      sql: (row) => sql`${row}.arch`,
    },
    row_version: {
      type: 'integer',
      label: 'Row Version',
      sql: (row, { workspace }) =>
        sql`(select coalesce(max(w.number), 0) from website_version w
          where w.workspace_id = ${workspace} and w.view_id = ${row}.id)`,
    },
    mode: { type: 'char', label: 'View inheritance mode', sql: () => sql`'primary'::text` },
  },
  ...siteInvalidationHooks,
});

defineModel('website.version', {
  group: 'website',
  display: 'number',
  order: 'view_id, number desc',
  access: { [DESIGNER_GROUP]: 'r' },
  ceiling: 'r',
  graph: { type: 'WebsiteVersion', one: 'websiteVersion', many: 'websiteVersions', writes: false },
});
