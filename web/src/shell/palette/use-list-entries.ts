import { language } from '../../i18n/language.ts';
import { shellStrings } from '../strings.ts';
import { useGraphqlQuery } from '../use-graphql-query.ts';
import { PaletteListsDocument, type PaletteListsQuery } from './generated.ts';
import type { Entry } from './palette-search.ts';

interface ListEntries {
  lists: Entry[];
  creations: Entry[];
}

/** Built-in models for everyday use. The others have separate pages. */
const CONTACT_MODELS = /^res\.partner(?:$|\.)/;

/** Returns the lists of contacts, installed apps and custom models. */
export function useListEntries(): ListEntries {
  const { data } = useGraphqlQuery(PaletteListsDocument, { lang: language });
  const models = data ? getListedModels(data) : [];
  return {
    lists: models.map(({ model, name, pluralName }) => ({
      key: `/records/${model}`,
      to: `/records/${model}`,
      name: pluralName,
      keywords: `${name} ${getKeywords(model)}`,
    })),
    creations: models
      .filter(({ canCreate }) => canCreate)
      .map(({ model, name }) => ({
        key: `/records/${model}/new`,
        to: `/records/${model}/new`,
        name: shellStrings.createNamed(name),
        keywords: `${shellStrings.createKeywords} ${getKeywords(model)}`,
      })),
  };
}

function getListedModels({ models, apps }: PaletteListsQuery) {
  const installed = new Set(apps.flatMap(({ name, state }) => (state === 'INSTALLED' ? [name] : [])));
  return models.filter(
    ({ model, module }) => CONTACT_MODELS.test(model) || module === null || installed.has(module),
  );
}

const getKeywords = (model: string): string => {
  const synonyms: Record<string, string> = shellStrings.modelKeywords;
  return `${model} ${synonyms[model] ?? ''}`;
};
