import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';

/** Translations of the labels of models, fields and options, and of the help of fields, into one language. */
export interface LabelTranslations {
  /** By the English text. */
  texts: Record<string, string>;
  /** Where one English text needs another translation: by `model` or `model.field`, then by the text. */
  places: Record<string, Record<string, string>>;
}

/** The translations of each language, by text and, where they are for one place alone, by place and text. */
const translations = new Map<string, ReadonlyMap<string, string>>();

/** Declares the labels of a language, named `de` or, for one country alone, `pt_BR`. */
export function defineLabels(language: string, { texts, places }: LabelTranslations): void {
  const placed = Object.entries(places).flatMap(([place, own]) =>
    Object.entries(own).map(([text, translation]): [string, string] => [
      buildPlaceKey(place, text),
      translation,
    ]),
  );
  translations.set(language, new Map([...Object.entries(texts), ...placed]));
}

/** The languages there are labels of, apart from English. */
export const listLabelLanguages = (): string[] => [...translations.keys()];

/** A language there are labels of; null for English. There are few, so that caches may have them in their keys. */
export type LabelLanguage = string | null;

/** The language of labels for a code such as `de_AT` or `de-AT`; English for one that is not known. */
export function resolveLabelLanguage(code: string): LabelLanguage {
  const name = code.slice(0, MAX_CODE_LENGTH).replaceAll('-', '_');
  if (translations.has(name)) return name;
  const [plain] = name.split(/[_@]/, 1);
  return translations.has(plain!) ? plain! : null;
}

/** Longer than any code there is. */
const MAX_CODE_LENGTH = 40;

/** The language in which the caller reads labels: that of the context, or else of the user. */
export const getLabelLanguage = ({ context, principal }: Ctx): LabelLanguage =>
  resolveLabelLanguage(context.lang ?? principal?.lang ?? '');

/** The language a caller asks for by name, or else the caller's own. */
export const getRequestedLanguage = (ctx: Ctx, lang: string | null | undefined): LabelLanguage =>
  lang ? resolveLabelLanguage(lang) : getLabelLanguage(ctx);

/** The argument `lang` of verbs that answer with labels. */
export const labelsArgument = {
  description:
    'Language of the labels, such as `de` or `de_DE`; English where it is not known. Defaults to your own language.',
} as const;

/** The label of a model. One that a workspace has added is called as it was named. */
export const getModelLabel = (model: Model, language: LabelLanguage): string =>
  model.customId === null ? translateLabel(language, model.name, model.label) : model.label;

/** What people read of a field. */
export type FieldTexts = Pick<Field, 'label' | 'help' | 'selection'>;

/** What people read of a field. One that a workspace has added is called as it was named. */
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

/** The label of an option; undefined for what is none of a selection. */
export function getOptionLabel(
  model: Model,
  field: Field,
  value: unknown,
  language: LabelLanguage,
): string | undefined {
  const label = field.selection?.find(([known]) => known === value)?.[1];
  return label === undefined || field.custom
    ? label
    : translateLabel(language, `${model.name}.${field.name}`, label);
}

/** The translation of an English text of the code; the text itself where there is none. */
export function translateLabel(language: LabelLanguage, place: string, english: string): string {
  const texts = language === null ? undefined : translations.get(language);
  return texts?.get(buildPlaceKey(place, english)) ?? texts?.get(english) ?? english;
}

const buildPlaceKey = (place: string, text: string): string => `${place}\n${text}`;
