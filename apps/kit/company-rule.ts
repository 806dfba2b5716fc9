import type { InitialRule } from '../../src/engine/model/model.ts';

/**
 * Builds a rule that allows access to records of the caller's companies and to records without a company. `field` is
 * the path to the company.
 */
export const companyRule = (field = 'company_id'): InitialRule => ({
  name: 'of the own companies, or of none',
  domain: `['|', ('${field}', '=', False), ('${field}', 'in', company_ids)]`,
});
