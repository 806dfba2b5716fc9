import { type Field, isStoredField } from './field.ts';
import type { Model } from './model.ts';

// A translated field stores its source text in its column, and its translations in the row's JSON. Their keys, such as
// `name@fr_FR`, cannot be field names.

/** Language of the source texts in columns. */
export const SOURCE_LANGUAGE = 'en_US';

/**
 * Returns true if the field's translations are stored. A field with a lookup index is not translated, because the index
 * contains only the source text.
 */
export const isTranslated = (model: Model, field: Field): boolean =>
  field.translated === true && model.extensible && isStoredField(field) && !field.custom?.indexed;

export const buildTranslationKey = (field: Field, lang: string): string => `${field.name}@${lang}`;
