import { runMutation } from '../graphql/client.ts';
import { useAction } from '../shell/use-action.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { Select } from '../ui/form/field.tsx';
import { addCurrentOption } from './add-current-option.ts';
import { DataLanguageDocument, DataLanguageSaveDocument } from './generated.ts';
import { profileStrings } from './strings.ts';

/** Selects the language of field names, values and server messages. The choice is saved immediately. */
export function DataLanguage() {
  const { viewer } = useViewer();
  const { act } = useAction();
  const { data } = useGraphqlQuery(DataLanguageDocument, { id: viewer.userId! });
  if (!data?.user) return null;
  const { id, lang } = data.user;
  return (
    <Select
      label={profileStrings.dataLanguage}
      hint={profileStrings.dataLanguageHint}
      value={lang ?? ''}
      options={addCurrentOption(
        data.languages.nodes.map(({ code, name }) => [code, name] as const),
        lang,
      )}
      onChange={({ target }) =>
        void act(() => runMutation(DataLanguageSaveDocument, { id, values: { lang: target.value } }))
      }
    />
  );
}
