import type { AccessRights, InitialRule } from '../../src/engine/model/model.ts';

export const productAccess: AccessRights = {
  'base.group_user': 'r',
  'product.group_product_manager': 'crwu',
  'sales_team.group_sale_manager': 'crwu',
};

/**
 * Limits public users to published records, if an administrator grants them access. `field` is the path to the flag.
 */
export const buildPublishedRule = (field: string): InitialRule => ({
  name: 'published ones',
  group: 'base.group_public',
  domain: `[('${field}', '=', True)]`,
});
