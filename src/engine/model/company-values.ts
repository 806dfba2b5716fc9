/**
 * A field of which each company has a value of its own has those in the row's JSON, where `standard_price@2` is no
 * field of anybody's, as translations are. The column has what holds for companies without one.
 */
export const buildCompanyKey = (name: string, company: number): string => `${name}@${company}`;
