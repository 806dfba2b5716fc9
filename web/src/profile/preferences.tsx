import './preferences.css';
import { runMutation } from '../graphql/client.ts';
import { RequestError } from '../graphql/request-error.ts';
import { LANGUAGES, type Language, language, setLanguage } from '../i18n/language.ts';
import { formatKeys, useKeyBindings } from '../shell/keys/key-bindings.ts';
import { saveKeyBindings } from '../shell/keys/save-key-bindings.ts';
import { Screen } from '../shell/screen.tsx';
import { shellStrings } from '../shell/strings.ts';
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
import { profileStrings } from './strings.ts';

/** Appearance and behavior of the application, on all devices of the user. */
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
    <Screen title={shellStrings.pages.preferences}>
      <div className="card preferences">
        <Select
          label={shellStrings.theme}
          value={theme}
          options={THEMES.map((each) => [each, shellStrings.themes[each]])}
          onChange={({ target }) => choose({ theme: target.value as ViewPreferences['theme'] })}
        />
        <Select
          label={shellStrings.density}
          value={density}
          options={DENSITIES.map((each) => [each, shellStrings.densities[each]])}
          onChange={({ target }) => choose({ density: target.value as ViewPreferences['density'] })}
        />
        <Select
          label={shellStrings.language}
          value={language}
          options={Object.entries(LANGUAGES)}
          onChange={({ target }) => setLanguage(target.value as Language)}
        />
        <Checkbox
          label={shellStrings.singleKeys}
          hint={shellStrings.singleKeysHint}
          checked={shortcuts}
          onChange={({ target }) => choose({ shortcuts: target.checked })}
        />
        <p className="quiet small">{profileStrings.preferencesDevice}</p>
        <ChangedKeys />
      </div>
    </Screen>
  );
}

/** Shortcuts with a custom key. They can be changed with `?` on their own pages. */
function ChangedKeys() {
  const choices = Object.entries(useKeyBindings());
  return (
    <section className="changed-keys">
      <h2>{profileStrings.ownKeys}</h2>
      <p className="quiet small">{profileStrings.ownKeysNone}</p>
      {choices.length > 0 && (
        <>
          <ul>
            {choices.map(([keys, chosen]) => (
              <li key={keys}>
                <kbd>{formatKeys(keys)}</kbd> →{' '}
                {chosen ? <kbd>{formatKeys(chosen)}</kbd> : shellStrings.keyOff}
              </li>
            ))}
          </ul>
          <div className="buttons">
            <Button onClick={() => void saveKeyBindings({})}>{profileStrings.ownKeysReset}</Button>
          </div>
        </>
      )}
    </section>
  );
}
