import { type Sql, sql } from '../../../src/db/sql.ts';
import type { SqlWords } from '../../../src/engine/model/field.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';

defineModel('res.partner.category', {
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
      sql: (row, words) => pathSql(row, words),
    },
  },
});

/** `Parent / Child` */
const pathSql = (row: Sql, words: SqlWords): Sql => {
  const table = words.table('res.partner.category');
  return sql`(with recursive up(parent_id, name, path) as (
      select c.parent_id, c.name::text, array[c.id] from ${table} c
        where c.workspace_id = ${words.workspace} and c.id = ${row}.id
      union all
      select p.parent_id, p.name || ' / ' || up.name, up.path || p.id from ${table} p join up on p.id = up.parent_id
        where p.workspace_id = ${words.workspace} and p.id <> all(up.path)
    ) select name from up order by cardinality(path) desc limit 1)`;
};
