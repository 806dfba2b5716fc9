import { Link } from '@tanstack/react-router';
import { runMutation } from '../../../graphql/client.ts';
import { useReloadOnChange } from '../../../graphql/live.ts';
import { LoadError } from '../../../shell/screen.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { shellWords } from '../../../shell/words.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { Links } from '../links.tsx';
import { adminWords } from '../words.ts';
import { UserGroupsChangeDocument, UserGroupsDocument } from './generated.ts';

/** Groups that somebody was given, and those that come along with them. */
export function UserGroups({ id, onChanged }: { id: string; onChanged(): void }) {
  const { data, refusal, reload } = useGraphqlQuery(UserGroupsDocument, { id });
  useReloadOnChange('res.groups', reload);
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  const user = data?.user;
  if (!user) return <p role="status">{shellWords.loading}</p>;
  const directGroups = user.groups.nodes;
  const implied = user.allGroups.nodes.filter((group) => !directGroups.some((each) => each.id === group.id));
  const toLinkTargets = (groups: typeof directGroups) =>
    groups.map((each) => ({ id: each.id, name: each.fullName ?? each.id }));
  return (
    <div className="admin-stack">
      <section className="card admin-stack" aria-label={adminWords.groups}>
        <p className="quiet">{adminWords.groupsOfUserText}</p>
        <Links
          label={adminWords.groups}
          links={toLinkTargets(directGroups)}
          choices={toLinkTargets(data.groups.nodes)}
          add={adminWords.addGroup}
          none={adminWords.noGroups}
          show={(group) => <GroupLink {...group} />}
          onChange={async (changed) => {
            await runMutation(UserGroupsChangeDocument, { id, ...changed });
            showToast(adminWords.saved);
            reload();
            onChanged();
          }}
        />
      </section>
      {implied.length > 0 && (
        <section className="card admin-stack" aria-label={adminWords.impliedGroups}>
          <h2>{adminWords.impliedGroups}</h2>
          <ul className="admin-rows">
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
