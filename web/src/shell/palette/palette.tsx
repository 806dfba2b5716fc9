import './palette.css';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { moveIndex } from '../../ui/virtual-list.tsx';
import { closeOverlay } from '../overlays.ts';
import { getAccessibleAreas } from '../pages.ts';
import { shellStrings } from '../strings.ts';
import { useUiState } from '../ui-state.ts';
import { useViewer } from '../viewer.ts';
import {
  type Entry,
  filterEntries,
  groupByModel,
  type RecordEntry,
  type Section,
  toLabeledEntry,
} from './palette-search.ts';
import { parseRecent, RECENT_NAME, rememberRecord } from './recent-records.ts';
import { useRecordSearch } from './use-record-search.ts';

/** Maximum length of a search text on the server. */
const MAX_QUERY_LENGTH = 100;

/** Command palette: finds pages and records by parts of their names. */
export function Palette() {
  const { can } = useViewer();
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const recent = parseRecent(useUiState(RECENT_NAME).value);
  const { records, isPartial, isWaiting, refusal } = useRecordSearch(text.trim());
  const sections: Section<Entry | RecordEntry>[] = [
    { label: shellStrings.paletteRecent, entries: text === '' ? recent.map(toLabeledEntry) : [] },
    { label: shellStrings.pagesLabel, entries: filterEntries(getPageEntries(can), text) },
    ...groupByModel(records),
  ].filter(({ entries }) => entries.length > 0);
  const hits = sections.flatMap(({ entries }) => entries);
  const go = (entry: Entry | RecordEntry | undefined) => {
    if (!entry) return;
    closeOverlay();
    void navigate({ to: entry.to });
    if ('record' in entry) void rememberRecord(recent, entry.record);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(hits[at]);
    const next = event.key.startsWith('Arrow') ? moveIndex(event.key, at, hits.length) : undefined;
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Dialog title={shellStrings.palette} onClose={closeOverlay} isBare>
      <input
        className="palette-input"
        role="combobox"
        aria-label={shellStrings.palette}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={hits[at] && `${id}-${at}`}
        placeholder={shellStrings.paletteHint}
        maxLength={MAX_QUERY_LENGTH}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={shellStrings.palette} className="palette-list">
        {sections.map((section) => (
          <Entries
            key={section.label}
            id={id}
            section={section}
            first={hits.indexOf(section.entries[0]!)}
            at={at}
            onGo={go}
          />
        ))}
      </div>
      <p className="quiet" role="status">
        {refusal?.message ??
          (isPartial
            ? shellStrings.palettePartial
            : hits.length === 0 && !isWaiting && shellStrings.paletteNothing)}
      </p>
    </Dialog>
  );
}

const getPageEntries = (can: ReadonlySet<string>): Entry[] =>
  getAccessibleAreas(can).flatMap(({ name, pages }) =>
    pages.map(({ to, label }) => ({
      to,
      name: `${shellStrings.areas[name]} › ${shellStrings.pages[label]}`,
    })),
  );

interface EntriesProps {
  id: string;
  section: Section<Entry | RecordEntry>;
  /** Index of the section's first entry among all entries. */
  first: number;
  at: number;
  onGo(entry: Entry | RecordEntry): void;
}

const Entries = ({ id, section: { label, entries }, first, at, onGo }: EntriesProps) => (
  // biome-ignore lint/a11y/useSemanticElements: no other element is a group of options in a list
  <div role="group" aria-label={label}>
    <p className="quiet small" aria-hidden="true">
      {label}
    </p>
    {entries.map((entry, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the input, which holds the focus
      <div
        key={entry.to}
        id={`${id}-${first + index}`}
        role="option"
        tabIndex={-1}
        aria-selected={first + index === at}
        className="palette-entry"
        onClick={() => onGo(entry)}
      >
        {entry.name}
      </div>
    ))}
  </div>
);
