import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';

export interface LabelTranslations {
  /** Translations, keyed by English text. */
  texts: Record<string, string>;
  /** Exceptions to `texts`, keyed by `model` or `model.field`, and then by English text. */
  places: Record<string, Record<string, string>>;
}

const translations = new Map<string, ReadonlyMap<string, string>>();

/** Declares the labels of a language such as `de`, or of a variant such as `pt_BR`. */
export function defineLabels(language: string, { texts, places }: LabelTranslations): void {
  const placed = Object.entries(places).flatMap(([place, ownTranslation]) =>
    Object.entries(ownTranslation).map(([text, translation]): [string, string] => [
      buildPlaceKey(place, text),
      translation,
    ]),
  );
  translations.set(language, new Map([...Object.entries(texts), ...placed]));
}

export const listLabelLanguages = (): string[] => [...translations.keys()];

/** A language with label translations. Null for English. There are only a few, so cache keys may contain them. */
export type LabelLanguage = string | null;

/** Returns the label language for a code such as `de_AT` or `de-AT`. English if the code is unknown. */
export function resolveLabelLanguage(code: string): LabelLanguage {
  const name = code.slice(0, MAX_CODE_LENGTH).replaceAll('-', '_');
  if (translations.has(name)) return name;
  const [plain] = name.split(/[_@]/, 1);
  return translations.has(plain!) ? plain! : null;
}

/** Number of characters of a code that are compared. No language code is longer. */
const MAX_CODE_LENGTH = 40;

export const getLabelLanguage = ({ context, principal }: Ctx): LabelLanguage =>
  resolveLabelLanguage(context.lang ?? principal?.lang ?? '');

export const getRequestedLanguage = (ctx: Ctx, lang: string | null | undefined): LabelLanguage =>
  lang ? resolveLabelLanguage(lang) : getLabelLanguage(ctx);

export const labelsArgument = {
  description:
    'Language of the labels, such as `de` or `de_DE`. Unsupported languages fall back to English. ' +
    'Defaults to your own language.',
} as const;

/** Returns a model's label. Labels of custom models are not translated. */
export const getModelLabel = (model: Model, language: LabelLanguage): string =>
  model.customId === null ? translateLabel(language, model.name, model.label) : model.label;

export const getModelPluralLabel = (model: Model, language: LabelLanguage): string =>
  model.customId === null ? translateLabel(language, model.name, model.pluralLabel) : model.pluralLabel;

export type FieldTexts = Pick<Field, 'label' | 'help' | 'selection'>;

/** Translates a field's label, help and options. Custom fields are not translated. */
export function translateFieldTexts(model: Model, field: Field, language: LabelLanguage): FieldTexts {
  const { label, help, selection } = field;
  if (language === null || field.custom) return { label, help, selection };
  const text = (english: string) => translateLabel(language, `${model.name}.${field.name}`, english);
  return {
    label: text(label),
    help: text(help),
    selection: selection?.map(([value, option]) => [value, text(option)]),
  };
}

export function getOptionLabel(
  model: Model,
  field: Field,
  value: unknown,
  language: LabelLanguage,
): string | undefined {
  const label = field.selection?.find(([knownLabel]) => knownLabel === value)?.[1];
  return label === undefined || field.custom
    ? label
    : translateLabel(language, `${model.name}.${field.name}`, label);
}

export function translateLabel(language: LabelLanguage, place: string, english: string): string {
  const texts = language === null ? undefined : translations.get(language);
  return texts?.get(buildPlaceKey(place, english)) ?? texts?.get(english) ?? english;
}

const buildPlaceKey = (place: string, text: string): string => `${place}\n${text}`;
