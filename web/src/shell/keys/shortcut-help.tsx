import './shortcut-help.css';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useViewPreferences } from '../../ui/view-preferences.ts';
import { DialogButtons } from '../dialogs/dialog-buttons.tsx';
import { closeOverlay } from '../overlays.ts';
import { shellStrings } from '../strings.ts';
import { formatKeys, isRebindable, useKeyBindings } from './key-bindings.ts';
import { KeyPress } from './key-press.tsx';
import { saveKeyBindings } from './save-key-bindings.ts';
import { getActiveShortcuts, type Shortcut } from './shortcuts.ts';

export function ShortcutHelp() {
  const { shortcuts } = useViewPreferences();
  const choices = useKeyBindings();
  const [changing, setChanging] = useState<string>();
  const activeShortcuts = getActiveShortcuts();
  const isTakenBy = (key: string, shortcut: Shortcut) =>
    activeShortcuts.some(
      (activeShortcut) =>
        activeShortcut.keys !== shortcut.keys &&
        (choices[activeShortcut.keys] ?? activeShortcut.keys) === key,
    );
  return (
    <Dialog title={shellStrings.shortcutsHere} onClose={closeOverlay}>
      {!shortcuts && <p>{shellStrings.shortcutsOff}</p>}
      <dl className="shortcut-help">
        {activeShortcuts.map((activeShortcut) => {
          const { keys, label } = activeShortcut;
          const key = choices[keys] ?? keys;
          return (
            <div key={keys}>
              <dt>{label}</dt>
              <dd>
                {changing === keys ? (
                  <KeyPress
                    isTaken={(pressed) => isTakenBy(pressed, activeShortcut)}
                    onKey={(pressed) => {
                      setChanging(undefined);
                      if (pressed !== undefined) void saveKeyBindings({ ...choices, [keys]: pressed });
                    }}
                  />
                ) : (
                  <>
                    {key === '' ? (
                      <span className="quiet">{shellStrings.keyOff}</span>
                    ) : (
                      <kbd>{formatKeys(key)}</kbd>
                    )}
                    {isRebindable(keys) && (
                      <Button
                        look="ghost"
                        onClick={() => setChanging(keys)}
                        aria-label={shellStrings.changeKeyNamed(label)}
                      >
                        {shellStrings.changeKey}
                      </Button>
                    )}
                    {keys in choices && (
                      <Button
                        look="ghost"
                        onClick={() => {
                          const { [keys]: _own, ...others } = choices;
                          void saveKeyBindings(others);
                        }}
                        aria-label={shellStrings.resetKeyNamed(label)}
                      >
                        {shellStrings.reset}
                      </Button>
                    )}
                  </>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      <DialogButtons onClose={closeOverlay} />
    </Dialog>
  );
}
