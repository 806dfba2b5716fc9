import { type Sql, sql } from '../../../src/db/sql.ts';
import type { SqlContext } from '../../../src/engine/model/field.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { limits } from '../../../src/limits.ts';

// Menus and reports, which classic clients look up. The product has no reports, and workspaces create their own menus.

defineModel('ir.ui.menu', {
  group: 'data',
  order: 'sequence, id',
  access: { 'base.group_user': 'r', 'base.group_system': 'crwu' },
  computed: { complete_name: { type: 'char', label: 'Full Path', sql: buildPathSql } },
  tree: { parent: 'parent_id', loop: 'A menu cannot be below itself, directly or through others.' },
});

/** Builds SQL for a path such as `Sales/Orders`. */
function buildPathSql(row: Sql, context: SqlContext): Sql {
  return sql`(with recursive up(parent_id, path, seen) as (
      select ${row}.parent_id, ${row}.name::text, array[${row}.id]
      union all
      select m.parent_id, m.name || '/' || up.path, up.seen || m.id
      from up join ${context.table('ir.ui.menu')} m on m.workspace_id = ${context.workspace} and m.id = up.parent_id
      where cardinality(up.seen) < ${sql.literal(limits.record.pathLevels)} and m.id <> all(up.seen)
    ) select path from up order by cardinality(seen) desc limit 1)`;
}

defineModel('ir.actions.report', { group: 'data', access: { 'base.group_user': 'r' }, ceiling: 'r' });
