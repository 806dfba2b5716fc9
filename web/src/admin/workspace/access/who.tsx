import { Link } from '@tanstack/react-router';
import { runQuery } from '../../../graphql/client.ts';
import { Loading } from '../../../shell/loading.tsx';
import { LoadError } from '../../../shell/screen.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { adminStrings } from '../strings.ts';
import { type AccessView, parseRecordId } from './address.ts';
import { ModelAccessDocument } from './generated.ts';
import { GrantTable } from './grants.tsx';
import { usePagedList } from './use-paged-list.ts';

interface AllowedUsersProps {
  model: string;
  view: AccessView;
  show(changes: AccessView): void;
}

export function AllowedUsers({ model, view: { record }, show }: AllowedUsersProps) {
  const choose = (form: FormData) => show({ record: parseRecordId(form.get('record')) });
  return (
    <div className="card admin-stack">
      <Form className="admin-add" onSubmit={choose}>
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
      </Form>
      <UserGrants model={model} record={record} />
    </div>
  );
}

function UserGrants({ model, record }: { model: string; record: string | undefined }) {
  const list = usePagedList(`${model} ${record}`, async (after) => {
    const { accessOfModel } = await runQuery(ModelAccessDocument, { model, record, after });
    return { items: accessOfModel.users, next: accessOfModel.next };
  });
  if (list.refusal) return <LoadError refusal={list.refusal} onAgain={list.more} />;
  if (!list.items) return <Loading />;
  const rows = list.items.map(({ userId, login, name, grants }) => ({
    key: userId,
    head: (
      <>
        <Link to="/admin/users/$id" params={{ id: userId }} search={{ tab: 'access' }}>
          {name}
        </Link>
        <br />
        <span className="quiet small">{login}</span>
      </>
    ),
    grants,
  }));
  return <GrantTable head={adminStrings.user} rows={rows} list={list} />;
}
