import { searchStrings } from './strings.ts';
import { translateNote } from './translate-note.ts';

export const SearchNotes = ({ notes }: { notes: readonly string[] }) =>
  notes.length > 0 && (
    <div className="search-notes small" role="status">
      <p>{searchStrings.partlyIgnored}</p>
      <ul>
        {notes.map((note) => (
          <li key={note}>{translateNote(note)}</li>
        ))}
      </ul>
    </div>
  );
