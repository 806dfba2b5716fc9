import './preferences.css';
import { change } from '../graphql/client.ts';
import { Refused } from '../graphql/refusal.ts';
import { chooseLanguage, LANGUAGES, type Language, language } from '../i18n/language.ts';
import { keysShown, useKeyChoices } from '../shell/keys/key-choices.ts';
import { saveKeyChoices } from '../shell/keys/save-key-choices.ts';
import { Screen } from '../shell/screen.tsx';
import { shellWords } from '../shell/words.ts';
import { Button } from '../ui/button.tsx';
import { Choice, Tick } from '../ui/field.tsx';
import { applyLook, DENSITIES, type Look, THEMES, useLook } from '../ui/look.ts';
import { sayWrong } from '../ui/toasts.tsx';
import { ViewPreferencesSaveDocument } from './generated.ts';
import { profileWords } from './words.ts';

/** How the application looks and behaves for the user, wherever it is opened. */
export function Preferences() {
  const now = useLook();
  const { theme, density, shortcuts } = now;
  const choose = async (changes: Partial<Look>) => {
    applyLook({ ...now, ...changes });
    try {
      await change(ViewPreferencesSaveDocument, changes);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      applyLook(now);
      sayWrong(error.refusal.message);
    }
  };
  return (
    <Screen title={shellWords.pages.preferences}>
      <div className="card preferences">
        <Choice
          label={shellWords.theme}
          value={theme}
          options={THEMES.map((each) => [each, shellWords.themes[each]])}
          onChange={({ target }) => choose({ theme: target.value as Look['theme'] })}
        />
        <Choice
          label={shellWords.density}
          value={density}
          options={DENSITIES.map((each) => [each, shellWords.densities[each]])}
          onChange={({ target }) => choose({ density: target.value as Look['density'] })}
        />
        <Choice
          label={shellWords.language}
          value={language}
          options={Object.entries(LANGUAGES)}
          onChange={({ target }) => chooseLanguage(target.value as Language)}
        />
        <Tick
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
  const choices = Object.entries(useKeyChoices());
  return (
    <section className="changed-keys">
      <h2>{profileWords.ownKeys}</h2>
      <p className="quiet small">{profileWords.ownKeysNone}</p>
      {choices.length > 0 && (
        <>
          <ul>
            {choices.map(([keys, chosen]) => (
              <li key={keys}>
                <kbd>{keysShown(keys)}</kbd> → {chosen ? <kbd>{keysShown(chosen)}</kbd> : shellWords.keyOff}
              </li>
            ))}
          </ul>
          <div className="buttons">
            <Button onClick={() => void saveKeyChoices({})}>{profileWords.ownKeysReset}</Button>
          </div>
        </>
      )}
    </section>
  );
}
