import './preferences.css';
import { runMutation } from '../graphql/client.ts';
import { RequestError } from '../graphql/request-error.ts';
import { LANGUAGES, type Language, language, setLanguage } from '../i18n/language.ts';
import { formatKeys, useKeyBindings } from '../shell/keys/key-bindings.ts';
import { saveKeyBindings } from '../shell/keys/save-key-bindings.ts';
import { Screen } from '../shell/screen.tsx';
import { shellWords } from '../shell/words.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, Select } from '../ui/field.tsx';
import { showErrorToast } from '../ui/toasts.tsx';
import {
  applyViewPreferences,
  DENSITIES,
  THEMES,
  useViewPreferences,
  type ViewPreferences,
} from '../ui/view-preferences.ts';
import { ViewPreferencesSaveDocument } from './generated.ts';
import { profileWords } from './words.ts';

/** How the application looks and behaves for the user, wherever it is opened. */
export function Preferences() {
  const now = useViewPreferences();
  const { theme, density, shortcuts } = now;
  const choose = async (changes: Partial<ViewPreferences>) => {
    applyViewPreferences({ ...now, ...changes });
    try {
      await runMutation(ViewPreferencesSaveDocument, changes);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      applyViewPreferences(now);
      showErrorToast(error.failure.message);
    }
  };
  return (
    <Screen title={shellWords.pages.preferences}>
      <div className="card preferences">
        <Select
          label={shellWords.theme}
          value={theme}
          options={THEMES.map((each) => [each, shellWords.themes[each]])}
          onChange={({ target }) => choose({ theme: target.value as ViewPreferences['theme'] })}
        />
        <Select
          label={shellWords.density}
          value={density}
          options={DENSITIES.map((each) => [each, shellWords.densities[each]])}
          onChange={({ target }) => choose({ density: target.value as ViewPreferences['density'] })}
        />
        <Select
          label={shellWords.language}
          value={language}
          options={Object.entries(LANGUAGES)}
          onChange={({ target }) => setLanguage(target.value as Language)}
        />
        <Checkbox
          label={shellWords.singleKeys}
          hint={shellWords.singleKeysHint}
          checked={shortcuts}
          onChange={({ target }) => choose({ shortcuts: target.checked })}
        />
        <p className="quiet small">{profileWords.preferencesDevice}</p>
        <ChangedKeys />
      </div>
    </Screen>
  );
}

/** Shortcuts that have another key; on their screens `?` changes them. */
function ChangedKeys() {
  const choices = Object.entries(useKeyBindings());
  return (
    <section className="changed-keys">
      <h2>{profileWords.ownKeys}</h2>
      <p className="quiet small">{profileWords.ownKeysNone}</p>
      {choices.length > 0 && (
        <>
          <ul>
            {choices.map(([keys, chosen]) => (
              <li key={keys}>
                <kbd>{formatKeys(keys)}</kbd> → {chosen ? <kbd>{formatKeys(chosen)}</kbd> : shellWords.keyOff}
              </li>
            ))}
          </ul>
          <div className="buttons">
            <Button onClick={() => void saveKeyBindings({})}>{profileWords.ownKeysReset}</Button>
          </div>
        </>
      )}
    </section>
  );
}
