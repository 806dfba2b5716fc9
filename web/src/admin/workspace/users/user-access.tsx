import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { runQuery } from '../../../graphql/client.ts';
import { language } from '../../../i18n/language.ts';
import { Loading } from '../../../shell/loading.tsx';
import { LoadError } from '../../../shell/screen.tsx';
import { Checkbox } from '../../../ui/form/field.tsx';
import { GrantTable } from '../access/grants.tsx';
import { usePagedList } from '../access/use-paged-list.ts';
import { adminStrings } from '../strings.ts';
import { UserAccessDocument } from './generated.ts';

export function UserAccess({ id }: { id: string }) {
  const [isAll, setIsAll] = useState(false);
  const list = usePagedList(id, async (after) => {
    const { accessOfUser } = await runQuery(UserAccessDocument, { id, after, lang: language });
    return { items: accessOfUser.models, next: accessOfUser.next };
  });
  if (list.refusal) return <LoadError refusal={list.refusal} onAgain={list.more} />;
  if (!list.items) return <Loading />;
  const rows = list.items
    .filter(({ grants }) => isAll || grants.some(({ allowed }) => allowed))
    .map(({ model, label, grants }) => ({
      key: model,
      head: (
        <>
          <Link to="/admin/access" search={{ model }}>
            {label}
          </Link>
          <br />
          <code className="quiet small">{model}</code>
        </>
      ),
      grants,
    }));
  return (
    <div className="card admin-stack">
      <p className="quiet">{adminStrings.userAccessText}</p>
      <Checkbox
        label={adminStrings.includeForbidden}
        checked={isAll}
        onChange={({ target }) => setIsAll(target.checked)}
      />
      <GrantTable head={adminStrings.model} rows={rows} list={list} />
    </div>
  );
}
