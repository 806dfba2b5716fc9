import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { addStates, findStateIds, findStateNames } from './country-states.ts';

const access = {
  'base.group_user': 'r',
  'base.group_portal': 'r',
  'base.group_partner_manager': 'crwu',
  'base.group_system': 'crwu',
};

defineModel('res.country', {
  group: 'data',
  graph: { type: 'Country', one: 'country', many: 'countries' },
  searchNames: ['name', 'code'],
  order: 'name, id',
  access,
  prepare: (_ctx, list) => list.forEach(upperCaseCode),
});

defineModel('res.country.state', {
  group: 'data',
  searchNames: ['name', 'code'],
  order: 'code, id',
  access,
  firstUse: { add: addStates, names: /^state_[a-z]{2}_/, find: findStateIds, findNames: findStateNames },
});

/** ISO 3166 codes are uppercase. */
function upperCaseCode(values: Values): void {
  if (typeof values.code === 'string') values.code = values.code.toUpperCase();
}
