import { type Sql, sql } from '../../../src/db/sql.ts';
import type { SqlContext } from '../../../src/engine/model/field.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { limits } from '../../../src/limits.ts';

defineModel('res.partner.category', {
  group: 'data',
  display: 'complete_name',
  searchNames: ['complete_name'],
  order: 'name, id',
  access: { 'base.group_user': 'r', 'base.group_partner_manager': 'crwu', 'base.group_system': 'crwu' },
  tree: {
    parent: 'parent_id',
    loop: 'You cannot create recursive tags: a tag is not above itself.',
  },
  computed: {
    complete_name: {
      type: 'char',
      label: 'Complete Name',
      help: 'Full path: names of all parent categories, then its own.',
      sql: (row, context) => buildPathSql(row, context),
    },
  },
});

/**
 * Builds SQL for the full path, such as `Parent / Child`. Ancestors are looked up by key, one at a time. The depth is
 * limited, because a deep tree has long paths.
 */
const buildPathSql = (
  row: Sql,
  context: SqlContext,
): Sql => sql`(with recursive up(parent_id, name, path) as (
      select ${row}.parent_id, ${row}.name::text, array[${row}.id]
      union all
      select p.parent_id, p.name || ' / ' || up.name, up.path || p.id
      from up cross join lateral (
        select c.id, c.parent_id, c.name from ${context.table('res.partner.category')} c
        where c.workspace_id = ${context.workspace} and c.id = up.parent_id offset 0) p
      where cardinality(up.path) < ${sql.literal(limits.record.pathLevels)} and p.id <> all(up.path)
    ) select name from up order by cardinality(path) desc limit 1)`;
