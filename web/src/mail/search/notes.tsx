import { translateNote } from './translate-note.ts';
import { searchWords } from './words.ts';

/** What of a search the server has not understood as it was written. */
export const SearchNotes = ({ notes }: { notes: readonly string[] }) =>
  notes.length > 0 && (
    <div className="search-notes small" role="status">
      <p>{searchWords.notUnderstood}</p>
      <ul>
        {notes.map((note) => (
          <li key={note}>{translateNote(note)}</li>
        ))}
      </ul>
    </div>
  );
