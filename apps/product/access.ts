import type { AccessRights, InitialRule } from '../../src/engine/model/model.ts';

/** Everybody in the company sees what is sold; some keep it. */
export const productAccess: AccessRights = {
  'base.group_user': 'r',
  'product.group_product_manager': 'crwu',
  'sales_team.group_sale_manager': 'crwu',
};

/** Of what the public may read, should an administrator give it the right; `field` is the path to the flag. */
export const publishedRule = (field: string): InitialRule => ({
  name: 'published ones',
  group: 'base.group_public',
  domain: `[('${field}', '=', True)]`,
});
