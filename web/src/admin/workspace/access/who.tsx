import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { runQuery } from '../../../graphql/client.ts';
import { Loading } from '../../../shell/loading.tsx';
import { LoadError } from '../../../shell/screen.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { adminStrings } from '../strings.ts';
import { type AccessView, parseRecordId } from './address.ts';
import { ModelAccessDocument } from './generated.ts';
import { GrantCells, GrantHeaders } from './grants.tsx';
import { usePagedList } from './use-paged-list.ts';

interface WhoProps {
  model: string;
  view: AccessView;
  show(changes: AccessView): void;
}

/** Access of each user to the records of a model, or to a single record. */
export function Who({ model, view: { record }, show }: WhoProps) {
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    show({ record: parseRecordId(new FormData(event.currentTarget).get('record')) });
  };
  return (
    <div className="card admin-stack">
      <form className="admin-add" onSubmit={choose}>
        <Field
          key={record}
          name="record"
          label={adminStrings.recordId}
          inputMode="numeric"
          pattern="[0-9]*"
          defaultValue={record}
        />
        <Button type="submit">{adminStrings.show}</Button>
        {record && (
          <Button look="ghost" onClick={() => show({ record: undefined })}>
            {adminStrings.allRecords}
          </Button>
        )}
      </form>
      <GrantTable model={model} record={record} />
    </div>
  );
}

function GrantTable({ model, record }: { model: string; record: string | undefined }) {
  const { items, refusal, hasMore, isBusy, more } = usePagedList(`${model} ${record}`, async (after) => {
    const { accessOfModel } = await runQuery(ModelAccessDocument, { model, record, after });
    return { items: accessOfModel.users, next: accessOfModel.next };
  });
  if (refusal) return <LoadError refusal={refusal} onAgain={more} />;
  if (!items) return <Loading />;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll sideways */}
      <section className="scroll-x" tabIndex={0} aria-label={adminStrings.accessTable}>
        <table className="figures-table grants-table">
          <thead>
            <tr>
              <th scope="col">{adminStrings.user}</th>
              <GrantHeaders />
            </tr>
          </thead>
          <tbody>
            {items.map(({ userId, login, name, grants }) => (
              <tr key={userId}>
                <th scope="row">
                  <Link to="/admin/users/$id" params={{ id: userId }} search={{ tab: 'access' }}>
                    {name}
                  </Link>
                  <br />
                  <span className="quiet small">{login}</span>
                </th>
                <GrantCells grants={grants} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {hasMore && (
        <div className="buttons">
          <Button isBusy={isBusy} onClick={more}>
            {adminStrings.loadMore}
          </Button>
        </div>
      )}
    </>
  );
}
