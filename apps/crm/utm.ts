import { defineModel, isSet, type Values } from '../kit/surface.ts';

const access = {
  'base.group_user': 'cr',
  'sales_team.group_sale_salesman': 'crw',
  'sales_team.group_sale_manager': 'crwu',
};

defineModel('utm.source', { group: 'data', order: 'name', access });

defineModel('utm.medium', { group: 'data', order: 'name', access });

defineModel('utm.campaign', {
  group: 'data',
  display: 'title',
  searchNames: ['title', 'name'],
  order: 'title, id',
  access,
  defaults: { user_id: (ctx) => ctx.principal?.userId ?? false },
  completes: ['name', 'title'],
  prepare: (_ctx, list, ids) => {
    if (ids === null) for (const values of list) fillNames(values);
  },
});

function fillNames(values: Values): void {
  if (!isSet(values.name)) values.name = values.title ?? false;
  if (!isSet(values.title)) values.title = values.name;
}
