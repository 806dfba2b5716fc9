/**
 * Returns the key of a company's value in the row's JSON, for example `standard_price@2`, which cannot be a field name.
 * The column contains the value for all other companies.
 */
export const buildCompanyKey = (name: string, company: number): string => `${name}@${company}`;
