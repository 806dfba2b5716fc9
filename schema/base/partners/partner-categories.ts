import { type Sql, sql } from '../../../src/db/sql.ts';
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
      sql: (row, words) => pathSql(row, words.table('res.partner.category')),
    },
  },
});

/** `Parent / Child` */
const pathSql = (row: Sql, table: Sql): Sql =>
  sql`(with recursive up(id, parent_id, name) as (
      select c.id, c.parent_id, c.name::text from ${table} c
        where c.workspace_id = ${row}.workspace_id and c.id = ${row}.id
      union all
      select p.id, p.parent_id, p.name || ' / ' || up.name from ${table} p join up on p.id = up.parent_id
        where p.workspace_id = ${row}.workspace_id
    ) cycle id set looped using path select name from up where not looped order by cardinality(path) desc limit 1)`;
