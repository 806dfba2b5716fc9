import { Link } from '@tanstack/react-router';
import { runMutation } from '../../../graphql/client.ts';
import { LoadStatus } from '../../../shell/loading.tsx';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { Links, toLinkTargets } from '../links.tsx';
import { adminStrings } from '../strings.ts';
import { GroupLinksChangeDocument, GroupRelationsDocument } from './generated.ts';

/** Lists direct members, but not users who belong to the group through another group. */
export function Members({ id }: { id: string }) {
  const { data, refusal, reload } = useLiveQuery(GroupRelationsDocument, { id }, 'res.users');
  if (!data?.group) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const members = data.group.users.nodes;
  return (
    <section className="card admin-stack" aria-label={adminStrings.members}>
      <p className="quiet">{adminStrings.membersText}</p>
      <Links
        label={adminStrings.members}
        links={members.map(({ id: user, displayName, login }) => ({
          id: user,
          name: formatUserName(displayName, login),
        }))}
        choices={data.users.nodes.map(({ id: user, displayName, login }) => ({
          id: user,
          name: formatUserName(displayName, login),
        }))}
        add={adminStrings.addMember}
        none={adminStrings.noMembers}
        show={({ id: user, name }) => (
          <>
            <Link to="/admin/users/$id" params={{ id: user }} search={{}}>
              {name}
            </Link>{' '}
            {members.find((member) => member.id === user)?.active === false && (
              <StatusBadge tone="plain">{adminStrings.kinds.archived}</StatusBadge>
            )}
          </>
        )}
        onChange={async (users) => {
          await runMutation(GroupLinksChangeDocument, { id, input: { users } });
          reload();
        }}
      />
    </section>
  );
}

const formatUserName = (name: string, login: string): string =>
  name === login ? name : `${name} (${login})`;

export function ImpliedGroups({ id }: { id: string }) {
  const { data, refusal, reload } = useLiveQuery(GroupRelationsDocument, { id }, 'res.groups');
  if (!data?.group) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { implieds, impliedBy } = data.group;
  return (
    <div className="admin-stack">
      <section className="card admin-stack" aria-label={adminStrings.implies}>
        <h2>{adminStrings.implies}</h2>
        <p className="quiet">{adminStrings.impliesText}</p>
        <Links
          label={adminStrings.implies}
          links={toLinkTargets(implieds.nodes)}
          choices={toLinkTargets(data.groups.nodes).filter((group) => group.id !== id)}
          add={adminStrings.addGroup}
          none={adminStrings.noImpliedGroups}
          show={GroupLink}
          onChange={async (implied) => {
            await runMutation(GroupLinksChangeDocument, { id, input: { implieds: implied } });
            reload();
          }}
        />
      </section>
      <section className="card admin-stack" aria-label={adminStrings.impliedBy}>
        <h2>{adminStrings.impliedBy}</h2>
        {impliedBy.nodes.length === 0 && <p className="quiet">{adminStrings.noImplyingGroups}</p>}
        <ul className="item-rows">
          {toLinkTargets(impliedBy.nodes).map((group) => (
            <li key={group.id}>
              <div>{GroupLink(group)}</div>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const GroupLink = ({ id, name }: { id: string; name: string }) => (
  <Link to="/admin/groups/$id" params={{ id }} search={{ tab: 'implied' }}>
    {name}
  </Link>
);
