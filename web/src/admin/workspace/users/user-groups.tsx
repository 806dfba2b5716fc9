import { Link } from '@tanstack/react-router';
import { Loading } from '../../../shell/loading.tsx';
import { runWithToast } from '../../../shell/run-with-toast.ts';
import { LoadError } from '../../../shell/screen.tsx';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { Links, toLinkTargets } from '../links.tsx';
import { adminStrings } from '../strings.ts';
import { UserGroupsChangeDocument, UserGroupsDocument } from './generated.ts';

export function UserGroups({ id, onChanged }: { id: string; onChanged(): void }) {
  const { data, refusal, reload } = useLiveQuery(UserGroupsDocument, { id }, 'res.groups');
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  const user = data?.user;
  if (!user) return <Loading />;
  const directGroups = user.groups.nodes;
  const implied = user.allGroups.nodes.filter(
    (group) => !directGroups.some((directGroup) => directGroup.id === group.id),
  );
  return (
    <div className="admin-stack">
      <section className="card admin-stack" aria-label={adminStrings.groups}>
        <p className="quiet">{adminStrings.userGroupsText}</p>
        <Links
          label={adminStrings.groups}
          links={toLinkTargets(directGroups)}
          choices={toLinkTargets(data.groups.nodes)}
          add={adminStrings.addGroup}
          none={adminStrings.noGroups}
          show={(group) => <GroupLink {...group} />}
          onChange={async (groups) => {
            await runWithToast(UserGroupsChangeDocument, { id, groups }, adminStrings.saved);
            reload();
            onChanged();
          }}
        />
      </section>
      {implied.length > 0 && (
        <section className="card admin-stack" aria-label={adminStrings.impliedGroups}>
          <h2>{adminStrings.impliedGroups}</h2>
          <ul className="item-rows">
            {toLinkTargets(implied).map((group) => (
              <li key={group.id}>
                <div>
                  <GroupLink {...group} />
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const GroupLink = ({ id, name }: { id: string; name: string }) => (
  <Link to="/admin/groups/$id" params={{ id }} search={{}}>
    {name}
  </Link>
);
