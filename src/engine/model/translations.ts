import { type Field, isStored } from './field.ts';
import type { Model } from './model.ts';

// A translated text stores its source in its column and the other languages in the row's JSON, under keys such as
// `name@fr_FR` that cannot be field names.

/** Language of the texts in columns. */
export const SOURCE_LANGUAGE = 'en_US';

/**
 * Returns true if records store the field in several languages. A field with a lookup index is not translated, because
 * the index contains only the source.
 */
export const isTranslated = (model: Model, field: Field): boolean =>
  field.translated === true && model.extensible && isStored(field) && !field.custom?.indexed;

export const buildTranslationKey = (field: Field, lang: string): string => `${field.name}@${lang}`;
