import { Link } from '@tanstack/react-router';
import { LoadStatus } from '../../../shell/loading.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { adminStrings } from '../strings.ts';
import { GroupRightsDocument, type GroupRightsQuery } from './generated.ts';

type Right = NonNullable<GroupRightsQuery['group']>['modelAccesses']['nodes'][number];

/**
 * Lists the rights that the group itself grants and the rules that limit its members. They are edited on the models'
 * pages.
 */
export function GroupRights({ id }: { id: string }) {
  const { data, refusal, reload } = useGraphqlQuery(GroupRightsDocument, { id });
  if (!data?.group) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { modelAccesses, ruleGroups } = data.group;
  return (
    <div className="admin-stack">
      <section className="card admin-stack" aria-label={adminStrings.rights}>
        <h2>{adminStrings.rights}</h2>
        <p className="quiet">{adminStrings.groupRightsText}</p>
        {modelAccesses.nodes.length === 0 && <p>{adminStrings.noRights}</p>}
        <ul className="item-rows">
          {modelAccesses.nodes.map((right) => (
            <li key={right.id}>
              <div>
                <Link to="/admin/access" search={{ model: right.model?.model, tab: 'rights' }}>
                  {right.model?.name}
                </Link>
              </div>
              <span className="quiet">{formatOperations(right)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section className="card admin-stack" aria-label={adminStrings.rules}>
        <h2>{adminStrings.rules}</h2>
        {ruleGroups.nodes.length === 0 && <p>{adminStrings.noRules}</p>}
        <ul className="item-rows">
          {ruleGroups.nodes.map((rule) => (
            <li key={rule.id}>
              <div>
                <Link to="/admin/access" search={{ model: rule.model?.model, tab: 'rules' }}>
                  {rule.model?.name}: {rule.name}
                </Link>
              </div>
              <code className="wide">{rule.domainForce}</code>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const formatOperations = ({ permRead, permCreate, permWrite, permUnlink }: Right): string =>
  [
    permRead && adminStrings.operations.READ,
    permCreate && adminStrings.operations.CREATE,
    permWrite && adminStrings.operations.UPDATE,
    permUnlink && adminStrings.operations.DELETE,
  ]
    .filter(Boolean)
    .join(', ') || adminStrings.none;
