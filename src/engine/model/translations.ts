import { type Field, isStored } from './field.ts';
import type { Model } from './model.ts';

// A translated text has its source in its column and its other languages beside it, in the row's JSON, where
// `name@fr_FR` is no field of anybody's.

/** The language that columns hold. */
export const SOURCE_LANGUAGE = 'en_US';

/** Whether records keep the field in several languages. One with a look-up index is in the index as its source. */
export const isTranslated = (model: Model, field: Field): boolean =>
  field.translated === true && model.extensible && isStored(field) && !field.custom?.indexed;

export const buildTranslationKey = (field: Field, lang: string): string => `${field.name}@${lang}`;
