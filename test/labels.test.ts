import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apps } from '../apps/index.ts';
import { buildProduct } from '../schema/index.ts';
import { type LabelTranslations, resolveLabelLanguage } from '../src/engine/describe/labels.ts';
import { operations } from '../src/engine/operation/operation.ts';

// Labels are shown in the user's language, so every label needs a translation in each language file.

const FOLDER = 'schema/i18n';

const models = [...buildProduct().registry.values()];

type Read = readonly [place: string, text: string];

const entries: Read[] = [
  ...apps.flatMap(({ name, label, summary }): Read[] => [
    [name, label],
    [name, summary],
  ]),
  ...models.flatMap((model): Read[] => [
    [model.name, model.label],
    [model.name, model.pluralLabel],
    ...[...model.fields.values()].flatMap(({ name, label, help, selection = [] }): Read[] => {
      const texts = [label, ...(help ? [help] : []), ...selection.map(([, option]) => option)];
      return texts.map((text) => [`${model.name}.${name}`, text]);
    }),
  ]),
  ...[...operations.values()].flatMap(({ model, method, formAction }): Read[] => {
    const asked = Object.values(formAction?.asks ?? {}).map((argument) => argument?.label);
    return [formAction?.label, formAction?.question, ...asked].flatMap((text) =>
      text ? [[`${model}.${method}`, text]] : [],
    );
  }),
];

const languages = readdirSync(FOLDER).flatMap((file) => /^(.*)\.json$/.exec(file)?.[1] ?? []);

it('the German label catalog exists', () => {
  expect(languages).toContain('de');
  expect(entries.length).toBeGreaterThan(2_000);
});

it('lists of apps and contacts have plural titles', () => {
  const appNames = new Set<string | null>(apps.map(({ name }) => name));
  const titles = models.flatMap(({ name, module, pluralLabel, options }) =>
    !options.isWizard && (appNames.has(module) || /^res\.(?:partner|bank)/.test(name)) ? pluralLabel : [],
  );
  expect(titles.length).toBeGreaterThan(35);
  expect(titles.filter((title) => !/(?:s|Media|of Measure)$/.test(title))).toEqual([]);
});

describe.each(languages)('labels in %s', (language) => {
  const file = `${FOLDER}/${language}.json`;
  const { texts, places } = JSON.parse(readFileSync(file, 'utf8')) as LabelTranslations;

  it('are known to the server', () => {
    expect(resolveLabelLanguage(language)).toBe(language);
  });

  it('cover every model, field, option, help text, form action and app', () => {
    const missing = entries
      .filter(([place, text]) => !texts[text]?.trim() && !places[place]?.[text]?.trim())
      .map(([place, text]) => `${place}: add a translation of ${JSON.stringify(text)} to "texts" of ${file}`);
    expect(missing).toEqual([]);
  });

  it('contain no unused translation', () => {
    const labelTexts = new Set(entries.map(([, text]) => text));
    const saidAt = new Set(entries.map((entry) => entry.join('\n')));
    const unusedTexts = Object.keys(texts).filter((text) => !labelTexts.has(text));
    const idlePlaces = Object.entries(places).flatMap(([place, translation]) =>
      Object.keys(translation)
        .filter((text) => !saidAt.has(`${place}\n${text}`))
        .map((text) => `${place}: ${text}`),
    );
    expect([...unusedTexts, ...idlePlaces].map((text) => `${text} (remove it from ${file})`)).toEqual([]);
  });

  it('distinguish the options of a field', () => {
    const translate = (place: string, text: string) => places[place]?.[text] ?? texts[text] ?? text;
    const duplicates = models.flatMap((model) =>
      [...model.fields.values()].flatMap(({ name, selection = [] }) => {
        const place = `${model.name}.${name}`;
        const english = new Set(selection.map(([, option]) => option));
        const translations = new Set([...english].map((option) => translate(place, option)));
        return translations.size < english.size ? [place] : [];
      }),
    );
    expect(duplicates).toEqual([]);
  });

  it('keep the placeholders', () => {
    const buildMarks = (text: string) => (text.match(/%\(\w+\)s|\{\{+\w+|`[^`]+`/g) ?? []).sort();
    const differing = Object.entries(texts).filter(
      ([text, translation]) => `${buildMarks(text)}` !== `${buildMarks(translation)}`,
    );
    expect(differing).toEqual([]);
  });
});
