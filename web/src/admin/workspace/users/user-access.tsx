import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { runQuery } from '../../../graphql/client.ts';
import { language } from '../../../i18n/language.ts';
import { Loading } from '../../../shell/loading.tsx';
import { LoadError } from '../../../shell/screen.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/field.tsx';
import { GrantCells, GrantHeaders } from '../access/grants.tsx';
import { usePagedList } from '../access/use-paged-list.ts';
import { adminStrings } from '../strings.ts';
import { UserAccessDocument } from './generated.ts';

export function UserAccess({ id }: { id: string }) {
  const [isAll, setIsAll] = useState(false);
  const { items, refusal, hasMore, isBusy, more } = usePagedList(id, async (after) => {
    const { accessOfUser } = await runQuery(UserAccessDocument, { id, after, lang: language });
    return { items: accessOfUser.models, next: accessOfUser.next };
  });
  if (refusal) return <LoadError refusal={refusal} onAgain={more} />;
  if (!items) return <Loading />;
  const visibleItems = items.filter(({ grants }) => isAll || grants.some(({ allowed }) => allowed));
  return (
    <div className="card admin-stack">
      <p className="quiet">{adminStrings.userAccessText}</p>
      <Checkbox
        label={adminStrings.includeForbidden}
        checked={isAll}
        onChange={({ target }) => setIsAll(target.checked)}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll sideways */}
      <section className="scroll-x" tabIndex={0} aria-label={adminStrings.accessTable}>
        <table className="figures-table grants-table">
          <thead>
            <tr>
              <th scope="col">{adminStrings.model}</th>
              <GrantHeaders />
            </tr>
          </thead>
          <tbody>
            {visibleItems.map(({ model, label, grants }) => (
              <tr key={model}>
                <th scope="row">
                  <Link to="/admin/access" search={{ model }}>
                    {label}
                  </Link>
                  <br />
                  <code className="quiet small">{model}</code>
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
    </div>
  );
}
