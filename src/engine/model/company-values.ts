/**
 * A field with values per company stores them in the row's JSON, like translations, under a key such as
 * `standard_price@2` that cannot be a field name. The column contains the value for all other companies.
 */
export const buildCompanyKey = (name: string, company: number): string => `${name}@${company}`;
