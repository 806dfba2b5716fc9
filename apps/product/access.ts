import type { Access, Rule } from '../../src/engine/model.ts';

/** Everybody in the company sees what is sold; some keep it. */
export const access: Access = {
  'base.group_user': 'r',
  'product.group_product_manager': 'crwu',
  'sales_team.group_sale_manager': 'crwu',
};

/** The rule for what a company may keep to itself; `field` is the path to the company. */
export const companyRule = (field = 'company_id'): Rule => ({
  name: 'of the own companies, or of none',
  domain: `['|', ('${field}', '=', False), ('${field}', 'in', company_ids)]`,
});
