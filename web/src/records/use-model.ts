import { language } from '../i18n/language.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { RecordModelDocument } from './generated.ts';

/** Loads a model's description by technical name, from the cache if possible. */
export const useModel = (model: string) => {
  const { data, refusal, reload } = useGraphqlQuery(RecordModelDocument, { model, lang: language });
  return { model: data?.modelDescribe, refusal, reload };
};
