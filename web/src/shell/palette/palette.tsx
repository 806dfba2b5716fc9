import './palette.css';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { moveIndex } from '../../ui/virtual-list.tsx';
import { closeOverlay } from '../overlays.ts';
import { shellStrings } from '../strings.ts';
import { useUiState } from '../ui-state.ts';
import { useViewer } from '../viewer.ts';
import { getAppActions, getFormEntries, getPageEntries } from './app-actions.ts';
import { type Entry, filterEntries, groupByModel, type Section, toLabeledEntry } from './palette-search.ts';
import { parseRecentRecords, RECENT_RECORDS_NAME, rememberRecord } from './recent-records.ts';
import { clickWhenShown, getScreenActions } from './screen-actions.ts';
import { useListEntries } from './use-list-entries.ts';
import { useMessageSearch } from './use-message-search.ts';
import { useRecordSearch } from './use-record-search.ts';

/** The server's maximum length of a search text. */
const MAX_QUERY_LENGTH = 100;

/** Maximum number of entries in a section that is filtered in the browser. */
const MAX_ENTRIES = 8;

/** Finds pages, lists, actions, records, messages and emails by parts of their names. */
export function Palette() {
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { sections, recent, note } = usePaletteSearch(text);
  const hits = sections.flatMap(({ entries }) => entries);
  const runEntry = (entry: Entry | undefined) => {
    if (!entry) return;
    closeOverlay();
    // Runs the action after the dialog has returned the focus to the screen.
    if (entry.run) return requestAnimationFrame(entry.run);
    // Routes of entries are strings, so their search parameters have no static type.
    void navigate({ to: entry.to, search: entry.search as never });
    if (entry.button) clickWhenShown(entry.button);
    if (entry.record) void rememberRecord(recent, entry.record);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      // The key would also press the button of a dialog that the entry opens.
      event.preventDefault();
      runEntry(hits[at]);
    }
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
            onGo={runEntry}
          />
        ))}
      </div>
      <p className="quiet" role="status">
        {note}
      </p>
    </Dialog>
  );
}

function usePaletteSearch(text: string) {
  const { can } = useViewer();
  const recent = parseRecentRecords(useUiState(RECENT_RECORDS_NAME).value);
  const query = text.trim();
  const [screenActions] = useState(getScreenActions);
  const { lists, creations } = useListEntries();
  const forms = getFormEntries(can).filter(
    ({ name }) => !screenActions.some((action) => action.name === name),
  );
  const { records, isPartial, isWaiting, refusal } = useRecordSearch(query);
  const mail = useMessageSearch(query, can);
  const filter = (entries: Entry[]) => (query ? filterEntries(entries, query).slice(0, MAX_ENTRIES) : []);
  const sections: Section[] = [
    { label: shellStrings.paletteRecent, entries: text === '' ? recent.map(toLabeledEntry) : [] },
    { label: shellStrings.pagesLabel, entries: filterEntries(getPageEntries(can), text) },
    { label: shellStrings.paletteLists, entries: filter(lists) },
    { label: shellStrings.paletteScreen, entries: filter(screenActions) },
    { label: shellStrings.paletteActions, entries: filter([...getAppActions(can), ...forms, ...creations]) },
    ...groupByModel(records),
    { label: shellStrings.messages, entries: mail.messages },
    { label: shellStrings.paletteEmails, entries: mail.emails },
  ].filter(({ entries }) => entries.length > 0);
  const isEmpty = sections.length === 0 && !isWaiting && !mail.isWaiting;
  const note =
    refusal?.message ?? (isPartial ? shellStrings.palettePartial : isEmpty ? shellStrings.noResults : null);
  return { sections, recent, note };
}

interface EntriesProps {
  id: string;
  section: Section;
  first: number;
  at: number;
  onGo(entry: Entry): void;
}

const Entries = ({ id, section: { label, entries }, first, at, onGo }: EntriesProps) => (
  // biome-ignore lint/a11y/useSemanticElements: HTML has no element for a group of options in a listbox
  <div role="group" aria-label={label}>
    <p className="quiet small" aria-hidden="true">
      {label}
    </p>
    {entries.map((entry, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the focused input handles keys
      <div
        key={entry.key}
        id={`${id}-${first + index}`}
        role="option"
        tabIndex={-1}
        aria-selected={first + index === at}
        className="palette-entry"
        onClick={() => onGo(entry)}
      >
        {entry.name}
        {entry.detail && <span className="quiet small"> {entry.detail}</span>}
      </div>
    ))}
  </div>
);
