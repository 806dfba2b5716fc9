import './palette.css';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { moved } from '../../ui/virtual-list.tsx';
import { closeOverlay } from '../overlays.ts';
import { openAreas } from '../pages.ts';
import { useViewer } from '../viewer.ts';
import { shellWords } from '../words.ts';
import { type Entry, found } from './palette-search.ts';

/** Goes to a page by some letters of its name. */
export function Palette() {
  const { can } = useViewer();
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const entries = openAreas(can).flatMap(({ name, pages }) =>
    pages.map(
      ({ to, label }): Entry => ({ to, name: `${shellWords.areas[name]} › ${shellWords.pages[label]}` }),
    ),
  );
  const hits = found(entries, text);
  const go = (entry: Entry | undefined) => {
    if (!entry) return;
    closeOverlay();
    void navigate({ to: entry.to });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(hits[at]);
    const next = event.key.startsWith('Arrow') ? moved(event.key, at, hits.length) : undefined;
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
  };
  return (
    <Dialog title={shellWords.palette} onClose={closeOverlay} isBare>
      <input
        className="palette-input"
        role="combobox"
        aria-label={shellWords.palette}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={hits[at] && `${id}-${at}`}
        placeholder={shellWords.paletteHint}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={shellWords.pagesLabel} className="palette-list">
        {hits.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the input, which holds the focus
          <div
            key={entry.to}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="palette-entry"
            onClick={() => go(entry)}
          >
            {entry.name}
          </div>
        ))}
      </div>
      <p className="quiet" role="status">
        {hits.length === 0 && shellWords.paletteNothing}
      </p>
    </Dialog>
  );
}
