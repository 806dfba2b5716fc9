import type { InitialRule } from '../../src/engine/model/model.ts';

/** The rule for what a company may keep to itself; `field` is the path to the company. */
export const companyRule = (field = 'company_id'): InitialRule => ({
  name: 'of the own companies, or of none',
  domain: `['|', ('${field}', '=', False), ('${field}', 'in', company_ids)]`,
});
