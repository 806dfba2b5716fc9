import { Link } from '@tanstack/react-router';
import { change } from '../../../graphql/client.ts';
import { useFresh } from '../../../graphql/live.ts';
import { useAnswer } from '../../../shell/answer.ts';
import { Failed } from '../../../shell/screen.tsx';
import { shellWords } from '../../../shell/words.ts';
import { say } from '../../../ui/toasts.tsx';
import { Links } from '../links.tsx';
import { adminWords } from '../words.ts';
import { UserGroupsChangeDocument, UserGroupsDocument } from './generated.ts';

/** Groups that somebody was given, and those that come along with them. */
export function UserGroups({ id, onChanged }: { id: string; onChanged(): void }) {
  const { data, refusal, reload } = useAnswer(UserGroupsDocument, { id });
  useFresh('res.groups', reload);
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  const user = data?.user;
  if (!user) return <p role="status">{shellWords.loading}</p>;
  const given = user.groups.nodes;
  const implied = user.allGroups.nodes.filter((group) => !given.some((each) => each.id === group.id));
  const named = (groups: typeof given) =>
    groups.map((each) => ({ id: each.id, name: each.fullName ?? each.id }));
  return (
    <div className="admin-stack">
      <section className="card admin-stack" aria-label={adminWords.groups}>
        <p className="quiet">{adminWords.groupsOfUserText}</p>
        <Links
          label={adminWords.groups}
          links={named(given)}
          choices={named(data.groups.nodes)}
          add={adminWords.addGroup}
          none={adminWords.noGroups}
          show={(group) => <GroupLink {...group} />}
          onChange={async (changed) => {
            await change(UserGroupsChangeDocument, { id, ...changed });
            say(adminWords.saved);
            reload();
            onChanged();
          }}
        />
      </section>
      {implied.length > 0 && (
        <section className="card admin-stack" aria-label={adminWords.impliedGroups}>
          <h2>{adminWords.impliedGroups}</h2>
          <ul className="admin-rows">
            {named(implied).map((group) => (
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
