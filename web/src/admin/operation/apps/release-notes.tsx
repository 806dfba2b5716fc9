import { formatDate } from '../../../i18n/format.ts';
import { LoadStatus } from '../../../shell/loading.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { operationStrings } from '../strings.ts';
import { ReleaseNotesDocument } from './generated.ts';
import { parseNoteText } from './note-text.ts';

/** Maximum number of notes that the server returns. */
const MAX_RELEASE_NOTES = 200;

export function ReleaseNotes() {
  const { data, refusal, reload } = useGraphqlQuery(ReleaseNotesDocument, { limit: MAX_RELEASE_NOTES });
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  if (data.releaseNotes.length === 0) return <EmptyState title={operationStrings.noReleaseNotes} />;
  const versions = Map.groupBy(data.releaseNotes, ({ version }) => version);
  return (
    <div className="news">
      {[...versions].map(([version, notes]) => (
        <section key={version}>
          <h2>
            {version === 'Unreleased' ? operationStrings.unreleased : version}{' '}
            {notes[0]!.date && <span className="quiet small">{formatDate(notes[0]!.date)}</span>}
          </h2>
          {[...Map.groupBy(notes, ({ kind }) => kind)].map(([kind, some]) => (
            <section key={kind}>
              <h3>{operationStrings.noteKinds[kind] ?? kind}</h3>
              <ul lang="en">
                {some.map(({ text }) => (
                  <li key={text}>
                    {parseNoteText(text).map(([sort, part], index) =>
                      // biome-ignore lint/suspicious/noArrayIndexKey: the text is static, so positions are stable
                      sort === 'code' ? <code key={index}>{part}</code> : part,
                    )}
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </section>
      ))}
    </div>
  );
}
