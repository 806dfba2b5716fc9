import type { Access } from '../../src/engine/model/model.ts';

/** Everybody in the company sees what is sold; some keep it. */
export const access: Access = {
  'base.group_user': 'r',
  'product.group_product_manager': 'crwu',
  'sales_team.group_sale_manager': 'crwu',
};
