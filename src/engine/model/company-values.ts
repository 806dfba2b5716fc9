import { type Field, isStored } from './field.ts';
import type { Model } from './model.ts';

// A value that each company has for itself is beside the column, in the row's JSON, where `standard_price@2` is no
// field of anybody's. The column has what holds for companies without a value of their own.

export const isOfCompanies = (model: Model, field: Field): boolean =>
  field.ofCompanies === true && model.extensible && isStored(field);

/** Also that of a text in a language is such a key; languages are no numbers. */
export const companyKey = (name: string, company: number): string => `${name}@${company}`;
