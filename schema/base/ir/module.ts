import { sql } from '../../../src/db/sql.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';

const access = { 'base.group_system': 'r' };

const TRANSPARENT_PIXEL_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

defineModel('ir.module.module', {
  group: 'live',
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
      help: 'One transparent pixel (PNG), because modules have no icons.',
      sql: () => sql`decode(${sql.literal(TRANSPARENT_PIXEL_BASE64)}, 'base64')`,
    },
    views_by_module: {
      type: 'text',
      label: 'Views',
      help: 'Views of the module. Always empty.',
      sql: () => sql`''::text`,
    },
  },
});

defineModel('ir.module.category', {
  group: 'data',
  order: 'sequence, name, id',
  access: { 'base.group_user': 'r' },
  ceiling: 'r',
});

defineModel('ir.module.module.dependency', { group: 'live', order: 'id', access, ceiling: 'r' });
