import './preferences.css';
import { LANGUAGES, type Language, language, setLanguage } from '../i18n/language.ts';
import { formatKeys, useKeyBindings } from '../shell/keys/key-bindings.ts';
import { saveKeyBindings } from '../shell/keys/save-key-bindings.ts';
import { saveViewPreferences } from '../shell/save-view-preferences.ts';
import { Screen } from '../shell/screen.tsx';
import { shellStrings } from '../shell/strings.ts';
import { useViewer } from '../shell/viewer.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, Select } from '../ui/form/field.tsx';
import { DENSITIES, THEMES, useViewPreferences, type ViewPreferences } from '../ui/view-preferences.ts';
import { DataLanguage } from './data-language.tsx';
import { profileStrings } from './strings.ts';

/** Settings for the application's appearance and behavior on all of the user's devices. */
export function Preferences() {
  const { can } = useViewer();
  const { theme, density, shortcuts } = useViewPreferences();
  return (
    <Screen title={shellStrings.pages.preferences}>
      <div className="card preferences">
        <Select
          label={shellStrings.theme}
          value={theme}
          options={THEMES.map((theme) => [theme, shellStrings.themes[theme]])}
          onChange={({ target }) => saveViewPreferences({ theme: target.value as ViewPreferences['theme'] })}
        />
        <Select
          label={shellStrings.density}
          value={density}
          options={DENSITIES.map((density) => [density, shellStrings.densities[density]])}
          onChange={({ target }) =>
            saveViewPreferences({ density: target.value as ViewPreferences['density'] })
          }
        />
        <Select
          label={shellStrings.language}
          value={language}
          options={Object.entries(LANGUAGES)}
          onChange={({ target }) => setLanguage(target.value as Language)}
        />
        {can.has('userWrite') && <DataLanguage />}
        <Checkbox
          label={shellStrings.singleKeys}
          hint={shellStrings.singleKeysHint}
          checked={shortcuts}
          onChange={({ target }) => saveViewPreferences({ shortcuts: target.checked })}
        />
        <p className="quiet small">{profileStrings.deviceHint}</p>
        <ChangedKeys />
      </div>
    </Screen>
  );
}

/** Lists the shortcuts with a custom key. Users change them by pressing `?` on the pages where they apply. */
function ChangedKeys() {
  const choices = Object.entries(useKeyBindings());
  return (
    <section className="changed-keys">
      <h2>{profileStrings.customShortcuts}</h2>
      <p className="quiet small">{profileStrings.noCustomShortcuts}</p>
      {choices.length > 0 && (
        <>
          <ul>
            {choices.map(([keys, binding]) => (
              <li key={keys}>
                <kbd>{formatKeys(keys)}</kbd> →{' '}
                {binding ? <kbd>{formatKeys(binding)}</kbd> : shellStrings.keyOff}
              </li>
            ))}
          </ul>
          <div className="buttons">
            <Button onClick={() => void saveKeyBindings({})}>{profileStrings.resetCustomShortcuts}</Button>
          </div>
        </>
      )}
    </section>
  );
}
